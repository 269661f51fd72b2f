// Pins a question: the memories that must, and must not, come back among its first hits.
//
// Pinned again, it has the new memories. Whoever forgets a memory holds the Cursor 'texts', so none
// of them disappears meanwhile.
//
// Parameters: $realm, $now, $id, $ids, $properties
// Returns: missing (ids of those that are not there: then nothing is written)
// Access: write
// Locks: the Cursor 'texts', then the Expectation node

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH COLLECT {
  UNWIND $ids AS id
  WITH id WHERE NOT EXISTS { MATCH (memory:Memory {realm: $realm, id: id}) }
  RETURN id
} AS missing
FOREACH (_ IN CASE WHEN missing = [] THEN [1] ELSE [] END |
  MERGE (expectation:Expectation {realm: $realm, id: $id})
  ON CREATE SET expectation.created_at = $now
  SET expectation += $properties, expectation.checked_at = $now)
RETURN missing

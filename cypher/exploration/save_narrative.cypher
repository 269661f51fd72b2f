// Stores the answer that a run gives to its question, with the memories that it quotes.
//
// An answer that quotes the same for the same question has the same id: it is used again.
//
// Parameters: $realm, $now, $run_id, $narrative, $quotes
// Returns: created (true if it was not there), quoted (number of quoted memories)
// Access: write
// Locks: the Narrative

CYPHER 25
MERGE (narrative:Narrative {realm: $realm, id: $narrative.id})
ON CREATE SET narrative += $narrative.properties, narrative.created_at = $now,
              narrative.run_id = $run_id
SET narrative.locked_at = $now
LET created = narrative.run_id = $run_id
CALL (narrative, created) {
  FILTER created
  CALL db.create.setNodeVectorProperty(narrative, 'embedding', $narrative.embedding)
}
CALL (narrative, created) {
  UNWIND CASE WHEN created THEN $quotes ELSE [] END AS row
  MATCH (memory:Memory {realm: $realm, id: row.id})
    USING INDEX SEEK memory:Memory(realm, id)
  MERGE (narrative)-[quote:QUOTES]->(memory)
  SET quote.rank = row.rank, quote.value = row.value
  RETURN count(*) AS quoted
}
RETURN created, quoted

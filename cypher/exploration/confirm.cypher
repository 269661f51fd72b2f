// Confirms memories as the answer to a question, and returns what the answer quotes.
//
// What was confirmed before stays as it is.
//
// Parameters: $realm, $now, $run_id, $id, $ids
// Returns: id (of a quoted memory), confirmed (true if it is confirmed), changed (true if this call
//   confirmed it)
// Locks: the Narrative
// Access: write

CYPHER 25
MATCH (narrative:Narrative {realm: $realm, id: $id})
SET narrative.kind = 'confirmed', narrative.locked_at = $now
CALL (narrative) {
  UNWIND $ids AS memory_id
  MATCH (memory:Memory {realm: $realm, id: memory_id})
    USING INDEX SEEK memory:Memory(realm, id)
  MERGE (narrative)-[quote:QUOTES]->(memory)
  WITH quote, memory WHERE quote.confirmed IS NULL
  SET quote.confirmed = $now, quote.confirmed_by = $run_id
  RETURN collect(memory.id) AS changed
}
MATCH (narrative)-[quote:QUOTES]->(memory:Memory)
RETURN memory.id AS id, quote.confirmed IS NOT NULL AS confirmed, memory.id IN changed AS changed
ORDER BY id

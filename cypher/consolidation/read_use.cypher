// Reads when consolidated memories came, and when they were used last, in active hours.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), number (its number among the consolidated ones),
//   run (that consolidated it), learned (hours when it came), used (hours of its last use),
//   rebuilt (true if a rebuild has decided about it since)
// Access: read

CYPHER 25
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
WITH coalesce(cursor.rebuilt_last_seq, 0) AS rebuilt_last_seq
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.promoted_seq >= 0
RETURN id, memory.promoted_seq AS number, memory.consolidated_by AS run,
       coalesce(memory.learned_at_hours, 0.0) AS learned,
       coalesce(memory.last_reinforced_hours, 0.0) AS used,
       memory.promoted_seq <= rebuilt_last_seq AS rebuilt

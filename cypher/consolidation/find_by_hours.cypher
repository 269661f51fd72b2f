// Finds consolidated memories that were used within some active hours.
//
// Parameters: $realm, $low, $high, $last_seq, $limit
// Returns: ids (ids of the memories found)
// Access: read

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, last_reinforced_hours)
WHERE memory.realm = $realm
  AND memory.last_reinforced_hours >= $low AND memory.last_reinforced_hours <= $high
  AND memory.promoted_seq <= $last_seq
WITH memory LIMIT $limit
RETURN collect(memory.id) AS ids

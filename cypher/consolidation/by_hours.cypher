// Consolidated memories used within some active hours.
//
// Parameters: $realm, $low, $high, $upto, $limit
// Returns: ids
// Access: read

CYPHER 25
MATCH (m:Memory)
  USING INDEX SEEK m:Memory(realm, last_reinforced_hours)
WHERE m.realm = $realm AND m.last_reinforced_hours >= $low AND m.last_reinforced_hours <= $high
  AND m.promoted_seq <= $upto
WITH m LIMIT $limit
RETURN collect(m.id) AS ids

// The pairs a star is connected in.
//
// Parameters: $id, $realm
// Returns: lower, upper, pair_key
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $id})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
WITH r, split(r.pair_key, '|') AS ends
RETURN ends[0] AS lower, ends[1] AS upper, r.pair_key AS pair_key ORDER BY pair_key

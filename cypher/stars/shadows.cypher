// The connections of a star whose type its darkness decides, now that it turned DARK or left it.
//
// A type that the user chose stays.
//
// Parameters: $id, $realm
// Returns: lower, upper, start, end, type, type_source, state, dark, other_dark
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
WITH star, r, other, split(r.pair_key, '|') AS ends
RETURN ends[0] AS lower, ends[1] AS upper, startNode(r).id AS start, endNode(r).id AS end,
       type(r) AS type, r.type_source AS type_source, r.state AS state,
       star.state = 'DARK' AS dark, other.state = 'DARK' AS other_dark
ORDER BY lower, upper

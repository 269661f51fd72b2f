// How many connections there are of each type and state.
//
// Parameters: $realm
// Returns: type, state, count
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
RETURN type(r) AS type, r.state AS state, count(*) AS count
ORDER BY type, state

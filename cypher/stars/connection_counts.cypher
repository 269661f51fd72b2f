// Counts connections by type and state.
//
// Parameters: $realm
// Returns: type (type), state (state), connections (number)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
RETURN type(link) AS type, link.state AS state, count(*) AS connections
ORDER BY type, state

// Returns each connection that is awake, with what a forecast of its fading reads.
//
// Parameters: $realm
// Returns: start (star it starts at), end (star it ends at), type (type), state (state),
//   engaged_state (state at the last engagement), strength (strength, 0 to 1), engaged_day (epoch
//   day of it), decayed_day (last decayed epoch day), evidence_days (epoch days of evidence),
//   blocking (it is a block that holds)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
WHERE link.state <> 'DORMANT' AND star.state <> 'DORMANT' AND other.state <> 'DORMANT'
RETURN star.id AS start, other.id AS end, type(link) AS type, link.state AS state,
       link.engaged_state AS engaged_state, link.strength AS strength,
       link.engaged_day AS engaged_day, link.decayed_day AS decayed_day,
       link.evidence_days AS evidence_days, coalesce(link.block_active, false) AS blocking

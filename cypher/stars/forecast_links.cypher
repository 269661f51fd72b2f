// What a forecast of fading knows of each connection that is awake.
//
// Parameters: $realm
// Returns: a, b, type, state, engaged_state, strength, engaged_day, decayed_day, ev_days, blocking
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(b:Star)
WHERE r.state <> 'DORMANT' AND a.state <> 'DORMANT' AND b.state <> 'DORMANT'
RETURN a.id AS a, b.id AS b, type(r) AS type, r.state AS state, r.engaged_state AS engaged_state,
       r.strength AS strength, r.engaged_day AS engaged_day, r.decayed_day AS decayed_day,
       r.ev_days AS ev_days, coalesce(r.block_active, false) AS blocking

// What one star is connected with, strongest first.
//
// Parameters: $realm, $star_id
// Returns: path, type, state, strength, confidence
// Access: read

:param realm => 'demo';
:param star_id => COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0];

CYPHER 25
MATCH path = (:Star {realm: $realm, id: $star_id})
             -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
RETURN path, type(r) AS type, r.state AS state, r.strength AS strength, r.confidence AS confidence
ORDER BY strength DESC

// The connections of one star, strongest first.
//
// Parameters: $realm, $star_id
// Returns: path (connection with both stars), type (of the connection),
//   state (state of the connection), strength (strength from 0 to 1),
//   confidence (how sure it is from 0 to 1)
// Access: read

:param realm => 'demo';
:param star_id => COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0];

CYPHER 25
MATCH path = (:Star {realm: $realm, id: $star_id})
             -[connection:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
RETURN path, type(connection) AS type, connection.state AS state,
       connection.strength AS strength, connection.confidence AS confidence
ORDER BY strength DESC

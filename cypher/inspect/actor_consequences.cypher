// What an actor's strong acts led to in a session, in the order of their lines.
//
// A gap above 8 lines is wrong more often than not.
//
// Parameters: $realm, $session_id, $actor_id
// Returns: line, attempt, kind, outcome, score, line_gap
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s:Session {realm: 'demo'}) WHERE s.recorded_at IS NOT NULL RETURN s.id ORDER BY s.recorded_at DESC LIMIT 1 }[0];
:param actor_id => COLLECT { MATCH (i:Intent {realm: 'demo', strength: 'strong'})-[:CAUSES]->() WITH i.actor AS actor, count(*) AS n RETURN actor ORDER BY n DESC, actor LIMIT 1 }[0];

CYPHER 25
MATCH (:Actor {realm: $realm, id: $actor_id})-[:ATTEMPTED]->(intent:Intent)-[causes:CAUSES]->(found)
WHERE intent.session_id = $session_id AND intent.strength = 'strong'
RETURN intent.anchor_index AS line, intent.text AS attempt, found.type AS kind,
       found.text AS outcome, causes.score AS score, causes.line_gap AS line_gap
ORDER BY line

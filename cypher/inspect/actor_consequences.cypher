// What an actor's strong acts led to in a session, in the order of their lines.
//
// In Browser first:
//   :param {realm: 'default', session_id: 'my-session', actor_id: 'laura'}
// A gap above 8 lines is wrong more often than not.
//
// Parameters: $realm, $session_id, $actor_id
// Returns: line, attempt, kind, outcome, score, line_gap
// Access: read

CYPHER 25
MATCH (:Actor {realm: $realm, id: $actor_id})-[:ATTEMPTED]->(intent:Intent)-[causes:CAUSES]->(found)
WHERE intent.session_id = $session_id AND intent.strength = 'strong'
RETURN intent.anchor_index AS line, intent.text AS attempt, found.type AS kind,
       found.text AS outcome, causes.score AS score, causes.line_gap AS line_gap
ORDER BY line

// The picture of a scene: the intents between two lines, their actors and consequences.
//
// Parameters: $realm, $session_id, $from, $to
// Returns: path (intent with its actor or its consequence)
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0];
:param from => 1;
:param to => 60;

CYPHER 25
MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.anchor_index >= $from AND intent.anchor_index <= $to
MATCH path = (:Actor)-[:ATTEMPTED]->(intent)
OPTIONAL MATCH answer = (intent)-[:CAUSES]->(:Consequence)
UNWIND CASE WHEN answer IS NULL THEN [path] ELSE [path, answer] END AS part
RETURN part AS path
LIMIT 200

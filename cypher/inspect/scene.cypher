// The picture of a scene: who attempted what between two lines, and what answered it.
//
// In Browser first; lines are few on purpose, a screen holds about 200 paths:
//   :param {realm: 'default', session_id: 'my-session', from: 100, to: 180}
//
// Parameters: $realm, $session_id, $from, $to
// Returns: path
// Access: read

CYPHER 25
MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.anchor_index >= $from AND intent.anchor_index <= $to
MATCH path = (:Actor)-[:ATTEMPTED]->(intent)
OPTIONAL MATCH answer = (intent)-[:CAUSES]->(:Consequence)
UNWIND CASE WHEN answer IS NULL THEN [path] ELSE [path, answer] END AS shown
RETURN shown AS path
LIMIT 200

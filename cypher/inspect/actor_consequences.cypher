// The consequences of an actor's strong intents in a session, in the order of their lines.
//
// A gap above 8 lines is wrong more often than not.
//
// Parameters: $realm, $session_id, $actor_id
// Returns: line (of the intent), attempt (its text), kind (of the consequence),
//   outcome (text of the consequence), score (score of the claim), line_gap (lines between the two)
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0];
:param actor_id => COLLECT { WITH COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0] AS chosen0 MATCH (i0:Intent {realm: 'demo', session_id: chosen0, strength: 'strong'})-[:CAUSES]->() WITH i0.actor AS actor0, count(*) AS n0 RETURN actor0 ORDER BY n0 DESC, actor0 LIMIT 1 }[0];

CYPHER 25
MATCH (:Actor {realm: $realm, id: $actor_id})-[:ATTEMPTED]->(intent:Intent)
      -[causes:CAUSES]->(consequence)
WHERE intent.session_id = $session_id AND intent.strength = 'strong'
RETURN intent.anchor_index AS line, intent.text AS attempt, consequence.type AS kind,
       consequence.text AS outcome, causes.score AS score, causes.line_gap AS line_gap
ORDER BY line

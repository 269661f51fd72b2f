// The best founded attempts of a session, with who made them and what came of them, and its texts.
//
// A session in which nobody attempted anything is shown alone.
//
// Parameters: $realm, $id, $limit
// Returns: elements
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm, id: $id})
CALL (session) {
  MATCH (intent:Intent {realm: $realm, session_id: session.id})
  WHERE intent.anchor_index IS NOT NULL
  OPTIONAL MATCH (intent)-[causes:CAUSES]->(found:Consequence)
  WITH intent, found, coalesce(causes.score, 0.0) AS score
  ORDER BY intent.strength = 'strong' AND found IS NOT NULL DESC, score DESC, intent.anchor_index
  LIMIT $limit
  MATCH (actor:Actor)-[:ATTEMPTED]->(intent)
  WITH collect([actor, intent, found]) AS rows
  UNWIND range(0, size(rows) - 1) AS at
  UNWIND rows[at] AS n
  WITH n, min(at) AS at WHERE n IS NOT NULL
  ORDER BY at
  RETURN collect(n) AS played
}
CALL (session) {
  MATCH (session)<-[:IN_SESSION]-(text:Memory)
  WITH text ORDER BY text.first_seen DESC, text.id LIMIT $limit
  RETURN collect(text) AS texts
}
WITH CASE WHEN texts = [] AND played <> [] THEN played ELSE [session] + texts + played END AS shown
RETURN [n IN shown[..$limit] | elementId(n)] AS elements

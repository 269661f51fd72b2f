// Reads the best founded intents of a session with their actors and consequences, and its texts.
//
// A session in which nobody attempted anything is drawn alone.
//
// Parameters: $realm, $id, $limit
// Returns: elements (element ids)
// Access: read

CYPHER 25
// played: actor, intent and consequence, the strong and answered intents first
MATCH (session:Session {realm: $realm, id: $id})
CALL (session) {
  MATCH (intent:Intent {realm: $realm, session_id: session.id})
  WHERE intent.anchor_index IS NOT NULL
  OPTIONAL MATCH (intent)-[causes:CAUSES]->(answer:Consequence)
  WITH intent, answer, coalesce(causes.score, 0.0) AS score
  ORDER BY intent.strength = 'strong' AND answer IS NOT NULL DESC, score DESC,
           intent.anchor_index
  LIMIT $limit
  MATCH (actor:Actor)-[:ATTEMPTED]->(intent)
  WITH collect([actor, intent, answer]) AS rows
  UNWIND range(0, size(rows) - 1) AS position
  UNWIND rows[position] AS node
  WITH node, min(position) AS position WHERE node IS NOT NULL
  ORDER BY position
  RETURN collect(node) AS played
}
// texts: the newest memories of the session
CALL (session) {
  MATCH (session)<-[:IN_SESSION]-(text:Memory)
  WITH text ORDER BY text.first_seen DESC, text.id LIMIT $limit
  RETURN collect(text) AS texts
}
WITH CASE WHEN texts = [] AND played <> [] THEN played
     ELSE [session] + texts + played END AS nodes
RETURN [node IN nodes[..$limit] | elementId(node)] AS elements

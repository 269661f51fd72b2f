// The best founded attempts of a session: who made them, and what came of them.
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
  ORDER BY at LIMIT $limit
  RETURN collect(elementId(n)) AS elements
}
RETURN elements

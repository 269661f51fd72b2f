// Reads the texts of a session that have their vector already: nothing is embedded twice.
//
// Parameters: $realm, $session_id, $actor_ids, $model
// Returns: id (of an intent, a consequence or an actor),
//   text (the text of the vector; null for an actor, whose vector stays)
// Access: read

CYPHER 25
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node, node.text AS text
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node, node.text AS text
UNION ALL
  UNWIND $actor_ids AS actor_id
  MATCH (node:Actor {realm: $realm, id: actor_id})
  RETURN node, null AS text
}
WITH node, text
WHERE node.embedding IS NOT NULL AND (text IS NULL OR node.embedding_model = $model)
RETURN node.id AS id, text

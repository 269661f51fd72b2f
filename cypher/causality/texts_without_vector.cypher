// Reads texts of a session that have no vector yet, the names of its actors first, then by line.
//
// Parameters: $realm, $session_id, $after, $limit
// Returns: label (Actor, Intent or Consequence), id (of the node), text (to be embedded),
//   anchor_index (line of the node; -1 for an actor)
// Access: read

CYPHER 25
CALL () {
  MATCH (intent:Intent {realm: $realm, session_id: $session_id})
  WHERE $after = -1 AND intent.actor IS NOT NULL
  WITH DISTINCT intent.actor AS actor_id
  MATCH (node:Actor {realm: $realm, id: actor_id})
  WHERE node.embedding IS NULL AND node.name IS NOT NULL
  RETURN node, 'Actor' AS label, node.name AS text, -1 AS anchor_index
UNION ALL
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index > $after AND node.embedding IS NULL
  RETURN node, 'Intent' AS label, node.text AS text, node.anchor_index AS anchor_index
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index > $after AND node.embedding IS NULL
  RETURN node, 'Consequence' AS label, node.text AS text, node.anchor_index AS anchor_index
}
RETURN label, node.id AS id, text, anchor_index
ORDER BY anchor_index, id LIMIT $limit

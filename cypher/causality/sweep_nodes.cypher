// Removes nodes of a session that its newest run did not touch, some at a time.
//
// Parameters: $realm, $session_id, $run_id, $limit
// Returns: swept (number of nodes, the limit if there may be more)
// Access: write

CYPHER 25
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
UNION ALL
  MATCH (node:Utterance {realm: $realm, session_id: $session_id})
  WHERE node.line_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
}
WITH node
LIMIT $limit
DETACH DELETE node
RETURN count(*) AS swept

// Notes on each intent and consequence which event owns its line; the first that fits does.
//
// Parameters: $realm, $session_id, $events
// Returns: assigned
// Access: write

CYPHER 25
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node
}
WITH node, head([event IN $events
                 WHERE event.start <= node.anchor_index AND node.anchor_index <= event.end |
                 event.event_id]) AS owner
SET node.event_id = owner
RETURN count(owner) AS assigned

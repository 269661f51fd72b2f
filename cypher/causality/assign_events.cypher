// Stores on each intent and consequence the event that owns its line, the first that contains it.
//
// Parameters: $realm, $session_id, $events
// Returns: assigned (number of intents and consequences that an event owns)
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

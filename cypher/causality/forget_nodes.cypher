// Deletes the intents, consequences and lines of a session, in batches.
//
// Parameters: $realm, $session_id, $settings
// Returns: label (Intent, Consequence or Utterance), deleted (number of nodes)
// Access: batch

CYPHER 25
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node, 'Intent' AS label
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL
  RETURN node, 'Consequence' AS label
UNION ALL
  MATCH (node:Utterance {realm: $realm, session_id: $session_id})
  WHERE node.line_index IS NOT NULL
  RETURN node, 'Utterance' AS label
}
CALL (node) {
  DETACH DELETE node
} IN TRANSACTIONS OF $settings.write_batch ROWS
RETURN label, count(*) AS deleted

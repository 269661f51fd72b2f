// Intents of a session by line.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX intent_anchor IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.anchor_index)

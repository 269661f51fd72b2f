// Intents of a session by strength.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX intent_strength IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.strength)

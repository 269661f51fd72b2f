// Intents of a session by who attempted them.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX intent_actor IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.actor)

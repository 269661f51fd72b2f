// Consequences of a session by line.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX consequence_anchor IF NOT EXISTS
FOR (n:Consequence) ON (n.realm, n.session_id, n.anchor_index)

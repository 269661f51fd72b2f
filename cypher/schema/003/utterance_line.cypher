// Utterances of a session by line.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX utterance_line IF NOT EXISTS
FOR (n:Utterance) ON (n.realm, n.session_id, n.line_index)

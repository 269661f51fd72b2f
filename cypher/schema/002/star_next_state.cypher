// Stars whose state is about to change, for the end of a close.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX star_next_state IF NOT EXISTS
FOR (n:Star) ON (n.realm, n.next_state)

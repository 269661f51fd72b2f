// Index of sessions that were recorded, among those that texts name.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Realms: all

CYPHER 25

// session_recorded: finds recorded sessions, to count their lines.
CREATE RANGE INDEX session_recorded IF NOT EXISTS
FOR (n:Session) ON (n.realm, n.run_id);

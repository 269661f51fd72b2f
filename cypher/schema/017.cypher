// Index of recorded sessions whose lines wait for vectors.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Realms: all

CYPHER 25

// session_unembedded: finds sessions with texts that have no vector yet.
CREATE RANGE INDEX session_unembedded IF NOT EXISTS
FOR (n:Session) ON (n.realm, n.unembedded);

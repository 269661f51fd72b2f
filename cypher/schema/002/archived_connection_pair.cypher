// Connections that ended, by pair.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX archived_connection_pair IF NOT EXISTS
FOR (n:ArchivedConnection) ON (n.realm, n.pair_key, n.archived_at)

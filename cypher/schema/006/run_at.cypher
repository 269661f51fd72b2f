// Runs of a kind, in time.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX run_at IF NOT EXISTS
FOR (n:Run) ON (n.realm, n.kind, n.at)

// Indexes the runs.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// run_at: runs of a kind, in time.
CREATE RANGE INDEX run_at IF NOT EXISTS
FOR (n:Run) ON (n.realm, n.kind, n.at);

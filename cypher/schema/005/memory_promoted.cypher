// Consolidated memories in the order in which they were.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_promoted IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.promoted_seq)

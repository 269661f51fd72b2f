// Memories that wait for consolidation; the property goes with the wait.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_waiting IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.waiting)

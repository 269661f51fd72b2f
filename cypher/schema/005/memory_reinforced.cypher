// Consolidated memories by the active hours of their last use.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_reinforced IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.last_reinforced_hours)

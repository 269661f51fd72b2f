// Finds memories that note others as near them.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX memory_near IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.near_count)

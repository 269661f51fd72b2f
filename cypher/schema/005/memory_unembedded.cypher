// Texts that have no vector yet.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_unembedded IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.unembedded)

// Texts that no vector could be made of, and why.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_set_aside IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.set_aside)

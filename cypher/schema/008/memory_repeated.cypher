// Finds what repeats a memory.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX memory_repeated IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.duplicate_of)

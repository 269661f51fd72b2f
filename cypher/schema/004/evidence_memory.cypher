// What a memory was made of, in order of time.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX evidence_memory IF NOT EXISTS
FOR (n:Evidence) ON (n.realm, n.memory_id, n.moment)

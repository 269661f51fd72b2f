// When a memory fades below its end, by the clock that it lives on.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_due IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.clock, n.archive_at)

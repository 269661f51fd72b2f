// Indexes the price levels and their evidence.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// evidence_memory: what a memory was made of, in order of time.
CREATE RANGE INDEX evidence_memory IF NOT EXISTS
FOR (n:Evidence) ON (n.realm, n.memory_id, n.moment);

// memory_due: when a memory fades below its end, by the clock that it lives on.
CREATE RANGE INDEX memory_due IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.clock, n.archive_at);

// memory_place: where a memory of some kind may lie: for levels, symbol and log-price cell.
CREATE RANGE INDEX memory_place IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.symbol, n.bucket);

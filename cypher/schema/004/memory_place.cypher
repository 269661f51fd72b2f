// Where a memory of some kind may lie: for levels, symbol and log-price cell.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE RANGE INDEX memory_place IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.symbol, n.bucket)

// What changed between two stars, in time.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX connection_change_pair IF NOT EXISTS
FOR (n:ConnectionChange) ON (n.realm, n.pair_key, n.day)

// Evidence of a pair of stars, by the time observed.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX evidence_pair IF NOT EXISTS
FOR (n:Evidence) ON (n.realm, n.pair_key, n.observed_at)

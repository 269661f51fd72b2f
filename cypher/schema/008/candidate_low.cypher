// Finds pairs that came up together by the lesser id.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX candidate_low IF NOT EXISTS
FOR (n:Candidate) ON (n.realm, n.low)

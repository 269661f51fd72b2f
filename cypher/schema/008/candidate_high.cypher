// Finds pairs that came up together by the greater id.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX candidate_high IF NOT EXISTS
FOR (n:Candidate) ON (n.realm, n.high)

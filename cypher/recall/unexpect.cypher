// Removes a pinned question.
//
// Parameters: $realm, $id
// Returns: removed (1 or 0)
// Access: write
// Locks: the Expectation node

CYPHER 25
OPTIONAL MATCH (expectation:Expectation {realm: $realm, id: $id})
DETACH DELETE expectation
RETURN count(expectation) AS removed

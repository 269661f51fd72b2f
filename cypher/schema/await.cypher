// Waits until every index can be used.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CALL db.awaitIndexes(60)

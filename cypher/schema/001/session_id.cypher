// One Session per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT session_id IF NOT EXISTS
FOR (n:Session) REQUIRE (n.realm, n.id) IS UNIQUE

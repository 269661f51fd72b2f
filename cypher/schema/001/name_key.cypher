// One Name per key in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT name_key IF NOT EXISTS
FOR (n:Name) REQUIRE (n.realm, n.key) IS UNIQUE

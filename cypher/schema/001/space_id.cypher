// One Space per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT space_id IF NOT EXISTS
FOR (n:Space) REQUIRE (n.realm, n.id) IS UNIQUE

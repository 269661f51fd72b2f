// One Consequence per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT consequence_id IF NOT EXISTS
FOR (n:Consequence) REQUIRE (n.realm, n.id) IS UNIQUE

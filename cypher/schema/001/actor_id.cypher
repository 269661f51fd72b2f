// One Actor per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT actor_id IF NOT EXISTS
FOR (n:Actor) REQUIRE (n.realm, n.id) IS UNIQUE

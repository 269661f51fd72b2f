// One Thing per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT thing_id IF NOT EXISTS
FOR (n:Thing) REQUIRE (n.realm, n.id) IS UNIQUE

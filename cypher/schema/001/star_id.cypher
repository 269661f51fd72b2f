// One Star per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT star_id IF NOT EXISTS
FOR (n:Star) REQUIRE (n.realm, n.id) IS UNIQUE

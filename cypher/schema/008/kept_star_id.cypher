// One KeptStar per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT kept_star_id IF NOT EXISTS
FOR (n:KeptStar) REQUIRE (n.realm, n.id) IS UNIQUE

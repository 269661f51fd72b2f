// One Run per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT run_id IF NOT EXISTS
FOR (n:Run) REQUIRE (n.realm, n.id) IS UNIQUE

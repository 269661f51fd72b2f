// One Intent per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT intent_id IF NOT EXISTS
FOR (n:Intent) REQUIRE (n.realm, n.id) IS UNIQUE

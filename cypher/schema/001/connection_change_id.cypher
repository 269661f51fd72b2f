// One ConnectionChange per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT connection_change_id IF NOT EXISTS
FOR (n:ConnectionChange) REQUIRE (n.realm, n.id) IS UNIQUE

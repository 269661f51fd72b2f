// One KeptConnection per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT kept_connection_id IF NOT EXISTS
FOR (n:KeptConnection) REQUIRE (n.realm, n.id) IS UNIQUE

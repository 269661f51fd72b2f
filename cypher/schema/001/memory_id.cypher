// One Memory per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT memory_id IF NOT EXISTS
FOR (n:Memory) REQUIRE (n.realm, n.id) IS UNIQUE

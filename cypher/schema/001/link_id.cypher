// One LINK per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT link_id IF NOT EXISTS
FOR ()-[r:LINK]-() REQUIRE (r.realm, r.id) IS UNIQUE

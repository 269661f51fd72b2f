// One Moment per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT moment_id IF NOT EXISTS
FOR (n:Moment) REQUIRE (n.realm, n.id) IS UNIQUE

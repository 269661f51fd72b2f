// One ArchivedConnection per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT archived_connection_id IF NOT EXISTS
FOR (n:ArchivedConnection) REQUIRE (n.realm, n.id) IS UNIQUE

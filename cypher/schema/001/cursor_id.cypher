// One Cursor per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT cursor_id IF NOT EXISTS
FOR (n:Cursor) REQUIRE (n.realm, n.id) IS UNIQUE

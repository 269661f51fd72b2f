// One SchemaVersion per database.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT schema_version_id IF NOT EXISTS
FOR (n:SchemaVersion) REQUIRE n.id IS UNIQUE

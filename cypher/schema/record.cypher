// Records that the schema has reached a version, and never steps back.
//
// Parameters: $version, $now
// Returns: version (the highest so far)
// Access: write
// Realms: all
// Locks: the SchemaVersion node

CYPHER 25
MERGE (schema:SchemaVersion {id: 'schema'})
SET schema.locked_at = $now
WITH schema
SET schema.version = CASE WHEN coalesce(schema.version, 0) < $version
                          THEN $version ELSE schema.version END,
    schema.applied_at = $now,
    schema.caption = 'schema ' + toString(schema.version)
RETURN schema.version AS version

// Counts what the database holds, in all realms and in none, but for its schema version.
//
// Parameters: none
// Returns: nodes (of any label), relationships (of any type)
// Access: read
// Scans: both numbers come from the server's own counts
// Realms: all

CYPHER 25
RETURN COUNT { MATCH (node) } - COUNT { MATCH (schema:SchemaVersion) } AS nodes,
       COUNT { MATCH ()-->() } AS relationships

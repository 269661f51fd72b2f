// Reads the schema version of this database, and if the realm is there and whole.
//
// Parameters: $realm
// Returns: version (or null before the first), known_realm (it is there and not being imported)
// Access: read

CYPHER 25
OPTIONAL MATCH (schema:SchemaVersion {id: 'schema'})
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN schema.version AS version, realm IS NOT NULL AND realm.importing IS NULL AS known_realm

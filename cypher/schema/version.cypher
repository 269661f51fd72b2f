// Which schema version this database was brought to, and whether the realm is known and whole.
//
// Parameters: $realm
// Returns: version, known_realm
// Access: read

CYPHER 25
OPTIONAL MATCH (schema:SchemaVersion {id: 'schema'})
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN schema.version AS version, realm IS NOT NULL AND realm.importing IS NULL AS known_realm

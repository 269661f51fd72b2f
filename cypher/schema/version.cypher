// Which schema version this database was brought to, and whether the realm is known in it.
//
// Parameters: $realm
// Returns: version, known_realm, unfinished
// Access: read

CYPHER 25
OPTIONAL MATCH (schema:SchemaVersion {id: 'schema'})
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN schema.version AS version, realm IS NOT NULL AS known_realm,
       realm.importing IS NOT NULL AS unfinished

// Reads the schema version of this database, if it is empty, and if the realm is there and whole.
//
// Parameters: $realm
// Returns: version (or null before the first), empty (there is no node at all),
//   known_realm (it is there and not being imported)
// Access: read

CYPHER 25
// Neo4j has counted its nodes.
CALL () {
  MATCH (node)
  RETURN count(node) = 0 AS empty
}
OPTIONAL MATCH (schema:SchemaVersion {id: 'schema'})
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN schema.version AS version, empty,
       realm IS NOT NULL AND realm.importing IS NULL AS known_realm

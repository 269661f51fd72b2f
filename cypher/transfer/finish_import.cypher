// Makes a realm whole: it gets its properties of the file, and loses the mark of an import.
//
// Parameters: $realm, $realm_key, $origin, $row
// Returns: nothing
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm = $row.properties, realm.realm = $realm, realm.realm_key = $realm_key,
    realm.caption = $realm, realm.origin = $origin
FOREACH (entry IN $row.times | SET realm[entry.key] = datetime(entry.texts[0]))

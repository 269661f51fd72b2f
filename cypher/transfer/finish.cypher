// Makes a realm whole: it gets what the file says of it, and is marked no longer.
//
// Parameters: $realm, $realm_key, $origin, $row
// Returns: realm
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm = $row.properties, realm.realm = $realm, realm.realm_key = $realm_key,
    realm.caption = $realm, realm.origin = $origin
FOREACH (t IN $row.times | SET realm[t.key] = datetime(t.texts[0]))
RETURN realm.realm AS realm

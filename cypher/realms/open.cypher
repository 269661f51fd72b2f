// Makes sure the realm has its node, so that it is listed and can be counted.
//
// Parameters: $realm, $now, $realm_key
// Returns: created_at
// Access: write

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
RETURN realm.created_at AS created_at

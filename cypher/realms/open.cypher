// Makes a realm if it is not there yet: the first thing that a transaction that writes does.
//
// Parameters: $realm, $now, $realm_key
// Returns: realm
// Access: write

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
RETURN realm.realm AS realm

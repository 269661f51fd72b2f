// Makes a realm if it is not there yet; says whether it is still being filled from a file.
//
// Parameters: $realm, $now, $realm_key
// Returns: unfinished
// Access: write

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
RETURN realm.importing IS NOT NULL AS unfinished

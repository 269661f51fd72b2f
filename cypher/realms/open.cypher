// Creates a realm if it is not there yet, first thing in every transaction that writes.
//
// Parameters: $realm, $now, $realm_key
// Returns: nothing
// Access: write

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm

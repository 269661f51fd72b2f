// Whether a realm is still being filled, and from where its content came; no row if it is unknown.
//
// Parameters: $realm
// Returns: importing, origin
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm})
RETURN realm.importing AS importing, realm.origin AS origin

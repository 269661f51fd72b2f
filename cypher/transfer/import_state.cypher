// Tells if a realm is still being filled, and from which realm; no row if it is unknown.
//
// Parameters: $realm
// Returns: importing (sha256 of the file that it is being filled from, or null),
//   origin (the realm whose content this was first, or null)
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm})
RETURN realm.importing AS importing, realm.origin AS origin

// Locks a realm for the import that fills it, until its transaction ends.
//
// Parameters: $realm, $now
// Returns: importing (sha256 of the file, or null)
// Access: write
// Locks: the Realm node

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm.locked_at = $now
RETURN realm.importing AS importing

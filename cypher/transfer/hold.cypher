// Holds a realm for the one that fills it, until its transaction ends; says from which file.
//
// Parameters: $realm, $now
// Returns: importing
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm.locked_at = $now
RETURN realm.importing AS importing

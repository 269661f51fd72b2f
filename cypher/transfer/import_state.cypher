// Tells if a realm is still being filled, from which realm, and what it counts; no row if unknown.
//
// Parameters: $realm
// Returns: importing (sha256 of the file that it is being filled from, or null),
//   origin (the realm whose content this was first, or null),
//   counts (of its texts and their words, which change with every text that comes or goes)
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm})
RETURN realm.importing AS importing, realm.origin AS origin,
       [realm.text_count, realm.word_count] AS counts

// One Utterance per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT utterance_id IF NOT EXISTS
FOR (n:Utterance) REQUIRE (n.realm, n.id) IS UNIQUE

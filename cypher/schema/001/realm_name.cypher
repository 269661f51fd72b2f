// One Realm node per realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT realm_name IF NOT EXISTS
FOR (n:Realm) REQUIRE n.realm IS UNIQUE

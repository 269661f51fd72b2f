// Deletes the Realm node, the last step of deleting a realm.
//
// A Realm node that has left its realm is named by the id that realms/list gives it.
//
// Parameters: $realm
// Returns: forgotten (how many Realm nodes)
// Access: write

CYPHER 25
CALL () {
  MATCH (realm:Realm {realm: $realm}) RETURN realm
UNION
  MATCH (realm:Realm)
  WHERE elementId(realm) = substring($realm, 8) AND $realm STARTS WITH 'damaged:'
    AND NOT realm.realm IS :: STRING NOT NULL
  RETURN realm
}
DELETE realm
RETURN count(*) AS forgotten

// Takes the realm off the list: the last step of deleting it.
//
// Parameters: $realm
// Returns: forgotten
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
DELETE realm
RETURN count(*) AS forgotten

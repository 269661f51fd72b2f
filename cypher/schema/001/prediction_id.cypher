// One Prediction per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT prediction_id IF NOT EXISTS
FOR (n:Prediction) REQUIRE (n.realm, n.id) IS UNIQUE

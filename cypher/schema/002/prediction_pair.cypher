// Predictions of a pair of stars.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX prediction_pair IF NOT EXISTS
FOR (n:Prediction) ON (n.realm, n.pair_key)

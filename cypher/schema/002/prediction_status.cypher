// Predictions by status: the open ones are asked for daily.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX prediction_status IF NOT EXISTS
FOR (n:Prediction) ON (n.realm, n.status)

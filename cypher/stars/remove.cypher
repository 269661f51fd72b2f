// Deletes a star with its events and candidates, and expires its open predictions.
//
// Parameters: $id, $realm
// Returns: nothing
// Access: write

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
CALL () {
  MATCH (prediction:Prediction) WHERE prediction.realm = $realm AND prediction.status = 'OPEN'
    AND $id IN [prediction.cause, prediction.effect]
  SET prediction.status = 'EXPIRED'
}
CALL () {
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
    AND $id IN [candidate.lower, candidate.upper]
  DELETE candidate
}
CALL () {
  MATCH (event:BrightnessEvent)
  WHERE event.realm = $realm AND event.star = $id AND event.at IS NOT NULL
  DELETE event
}
DETACH DELETE star

// Removes a star; what it did stays on record, its open predictions and candidates do not.
//
// Parameters: $id, $realm
// Returns: id
// Access: write

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
CALL () {
  MATCH (p:Prediction) WHERE p.realm = $realm AND p.status = 'OPEN' AND $id IN [p.cause, p.effect]
  SET p.status = 'EXPIRED'
}
CALL () {
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
    AND $id IN [candidate.lower, candidate.upper]
  DELETE candidate
}
CALL () {
  MATCH (event:BrightnessEvent) WHERE event.realm = $realm AND event.star = $id AND event.at IS NOT NULL
  DELETE event
}
DETACH DELETE star
RETURN $id AS id

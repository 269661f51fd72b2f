// How many memories wait, whether somebody is working on some, and how many are consolidated.
//
// Parameters: $realm, $moment
// Returns: waiting, taken, active
// Access: read

CYPHER 25
CALL () {
  MATCH (m:Memory {realm: $realm, waiting: true})
  RETURN count(m) AS waiting
}
CALL () {
  MATCH (claim:Cursor) WHERE claim.realm = $realm AND claim.id STARTS WITH 'claim:'
    AND claim.lease_until > $moment
  RETURN count(claim) > 0 AS taken
}
CALL () {
  MATCH (m:Memory) WHERE m.realm = $realm AND m.promoted_seq >= 0
  RETURN count(m) AS active
}
RETURN waiting, taken, active

// How many memories wait, how many of them nobody is working on, and how many are consolidated.
//
// Parameters: $realm, $moment
// Returns: waiting, free, active
// Access: read

CYPHER 25
CALL () {
  MATCH (m:Memory {realm: $realm, waiting: true})
  WITH m.claimed_by AS holder, count(*) AS amount
  OPTIONAL MATCH (claim:Cursor {realm: $realm, id: 'claim:' + holder})
  WHERE claim.lease_until > $moment
  RETURN sum(amount) AS waiting, sum(CASE WHEN claim IS NULL THEN amount ELSE 0 END) AS free
}
CALL () {
  MATCH (m:Memory) WHERE m.realm = $realm AND m.promoted_seq >= 0
  RETURN count(m) AS active
}
RETURN waiting, free, active

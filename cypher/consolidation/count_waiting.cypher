// Counts the memories that wait and those consolidated, and tells if a run is at work.
//
// Parameters: $realm, $moment
// Returns: waiting (number of memories that wait), claimed (true while a run is at work),
//   active (number of consolidated memories)
// Access: read

CYPHER 25
CALL () {
  MATCH (memory:Memory {realm: $realm, waiting: true})
  RETURN count(memory) AS waiting
}
CALL () {
  MATCH (claim:Cursor) WHERE claim.realm = $realm AND claim.id STARTS WITH 'claim:'
    AND claim.lease_until > $moment
  RETURN count(claim) > 0 AS claimed
}
CALL () {
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.promoted_seq >= 0
  RETURN count(memory) AS active
}
RETURN waiting, claimed, active

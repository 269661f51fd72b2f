// What of a run's claim is still its own, and which of its candidates are still there.
//
// Parameters: $realm, $run, $ids, $others
// Returns: mine, there
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
  WHERE m.waiting AND m.claimed_by = $run
  RETURN collect(id) AS mine
}
CALL () {
  UNWIND $others AS id
  MATCH (m:Memory {realm: $realm, id: id})
  RETURN count(m) AS there
}
RETURN mine, there

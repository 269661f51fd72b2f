// What of a run's claim is still its own, and which of its candidates are gone.
//
// Parameters: $realm, $run, $ids, $others
// Returns: mine, gone
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
  OPTIONAL MATCH (m:Memory {realm: $realm, id: id})
  WITH id, m WHERE m IS NULL
  RETURN collect(id) AS gone
}
RETURN mine, gone

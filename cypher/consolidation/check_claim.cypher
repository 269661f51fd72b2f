// Reads what of a run's claim is still its own, and which of its candidates are removed.
//
// Parameters: $realm, $run, $ids, $others
// Returns: claimed (ids), removed (ids)
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
  WHERE memory.waiting AND memory.claimed_by = $run
  RETURN collect(id) AS claimed
}
CALL () {
  UNWIND $others AS id
  OPTIONAL MATCH (memory:Memory {realm: $realm, id: id})
  WITH id, memory WHERE memory IS NULL
  RETURN collect(id) AS removed
}
RETURN claimed, removed

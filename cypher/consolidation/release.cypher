// Gives back what a run claimed and did not finish.
//
// Parameters: $realm, $run
// Returns: released
// Access: write

CYPHER 25
CALL () {
  MATCH (m:Memory {realm: $realm, waiting: true})
  WHERE m.claimed_by = $run
  WITH m ORDER BY m.id
  REMOVE m.claimed_by
  RETURN count(m) AS released
}
OPTIONAL MATCH (claim:Cursor {realm: $realm, id: 'claim:' + $run})
DETACH DELETE claim
RETURN released

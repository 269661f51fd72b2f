// Gives back what a run claimed and did not finish.
//
// Parameters: $realm, $run
// Returns: released (number of memories given back)
// Access: write

CYPHER 25
CALL () {
  MATCH (memory:Memory {realm: $realm, waiting: true})
  WHERE memory.claimed_by = $run
  WITH memory ORDER BY memory.id
  REMOVE memory.claimed_by
  RETURN count(memory) AS released
}
OPTIONAL MATCH (claim:Cursor {realm: $realm, id: 'claim:' + $run})
DETACH DELETE claim
RETURN released

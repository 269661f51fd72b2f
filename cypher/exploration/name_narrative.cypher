// Stores at a run which answer it has.
//
// Parameters: $realm, $run_id, $id
// Returns: nothing
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
SET run.narrative = $id

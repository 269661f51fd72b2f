// Stores the time at which a run was undone.
//
// Parameters: $realm, $run_id, $now
// Returns: nothing
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
SET run.undone_at = $now

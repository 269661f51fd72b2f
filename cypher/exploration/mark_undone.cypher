// Notes that a run was undone.
//
// Parameters: $realm, $run_id, $now
// Returns: undone_at
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
SET run.undone_at = $now
RETURN run.undone_at AS undone_at

// What a run changed, and whether that was undone; takes the run's lock.
//
// Parameters: $realm, $run_id, $now
// Returns: changes, undone_at
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
WHERE run.kind = 'exploration' AND run.at IS NOT NULL
SET run.locked_at = $now
RETURN run.changes AS changes, run.undone_at AS undone_at

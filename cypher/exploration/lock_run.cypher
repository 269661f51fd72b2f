// Locks a committed run, and returns its changes and the time at which they were undone.
//
// Parameters: $realm, $run_id, $now
// Returns: changes (undo record, as JSON), undone_at (null if they were not undone)
// Locks: the Run
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
WHERE run.kind = 'exploration' AND run.at IS NOT NULL
SET run.locked_at = $now
RETURN run.changes AS changes, run.undone_at AS undone_at

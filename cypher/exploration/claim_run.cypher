// Claims a run's id for this transaction, and returns whether the run was committed before.
//
// Parameters: $realm, $run_id, $now
// Returns: committed (true if the run was committed before)
// Locks: the Run
// Access: write

CYPHER 25
MERGE (run:Run {realm: $realm, id: $run_id})
SET run.locked_at = $now
RETURN run.at IS NOT NULL AS committed

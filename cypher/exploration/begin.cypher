// Claims a run's id for this transaction; a run that is known already has been committed.
//
// Parameters: $realm, $run_id, $now
// Returns: known
// Access: write

CYPHER 25
MERGE (run:Run {realm: $realm, id: $run_id})
SET run.locked_at = $now
RETURN run.at IS NOT NULL AS known

// Removes the runs of jobs that are older than the history.
//
// Parameters: $realm, $now, $settings
// Returns: pruned (1 for each run)
// Access: batch

CYPHER 25
MATCH (run:Run)
WHERE run.realm = $realm AND run.kind = 'maintenance'
  AND run.at < $now - duration({days: $settings.history_days})
CALL (run) {
  DETACH DELETE run
} IN TRANSACTIONS OF 2000 ROWS
RETURN 1 AS pruned

// Removes what has been known of jobs for longer than it is kept.
//
// Parameters: $realm, $now, $settings
// Returns: pruned
// Access: batch

CYPHER 25
MATCH (run:Run)
WHERE run.realm = $realm AND run.kind = 'maintenance'
  AND run.at < $now - duration({days: $settings.history_days})
CALL (run) {
  DETACH DELETE run
} IN TRANSACTIONS OF 2000 ROWS
RETURN 1 AS pruned

// Stores a run with its query, findings and changes, as the last statement of its commit.
//
// Parameters: $realm, $run_id, $now, $properties
// Returns: nothing
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
SET run += $properties, run.kind = 'exploration', run.at = $now

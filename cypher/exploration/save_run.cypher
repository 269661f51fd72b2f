// Writes down what a run asked, found and changed: the last statement of its commit.
//
// Parameters: $realm, $run_id, $now, $properties
// Returns: id
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
SET run += $properties, run.kind = 'exploration', run.at = $now
RETURN run.id AS id

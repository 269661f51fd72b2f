// Writes down a rebuild, and up to which memory it decided.
//
// Parameters: $realm, $run, $upto, $properties
// Returns: id
// Access: write

CYPHER 25
MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
SET cursor.rebuilt_by = $run, cursor.rebuilt_upto = $upto
CREATE (run:Run {realm: $realm, id: $run})
SET run += $properties
RETURN run.id AS id

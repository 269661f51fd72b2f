// Records a rebuild, and up to which memory it decided.
//
// Parameters: $realm, $run, $last_seq, $properties
// Returns: id (id of the run)
// Access: write

CYPHER 25
MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
SET cursor.rebuilt_by = $run, cursor.rebuilt_last_seq = $last_seq
CREATE (run:Run {realm: $realm, id: $run})
SET run += $properties
RETURN run.id AS id

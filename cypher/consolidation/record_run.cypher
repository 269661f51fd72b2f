// Records a run, and the progress of consolidation with it.
//
// Parameters: $realm, $run, $properties
// Returns: run (id of the run)
// Access: write

CYPHER 25
MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
SET cursor.promoted_seq = $properties.promoted_to, cursor.run = $run
CREATE (run:Run {realm: $realm, id: $run})
SET run += $properties
WITH run
OPTIONAL MATCH (claim:Cursor {realm: $realm, id: 'claim:' + $run})
DETACH DELETE claim
RETURN run.id AS run

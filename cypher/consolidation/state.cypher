// How far consolidation has come, and whether a run that somebody remembers took place here.
//
// Parameters: $realm, $run
// Returns: token, promoted_seq, run, reached, forgotten
// Access: read

CYPHER 25
MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
OPTIONAL MATCH (run:Run {realm: $realm, id: $run})
OPTIONAL MATCH (turn:Cursor {realm: $realm, id: 'texts'})
RETURN cursor.token AS token, cursor.promoted_seq AS promoted_seq, cursor.run AS run, run.promoted_to AS reached,
       coalesce(turn.forgotten, 0) AS forgotten

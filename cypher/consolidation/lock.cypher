// Takes the turn to commit a run, then the turn of the texts; says how far consolidation has come.
//
// Parameters: $realm, $now
// Returns: token, promoted_seq
// Access: write

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = randomUUID()
SET cursor.locked_at = $now
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
RETURN cursor.token AS token, cursor.promoted_seq AS promoted_seq

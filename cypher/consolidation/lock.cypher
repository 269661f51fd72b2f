// Takes the turn to commit a run; says how far consolidation has come.
//
// Parameters: $realm, $now
// Returns: token, promoted_seq
// Access: write

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = randomUUID()
SET cursor.locked_at = $now
RETURN cursor.token AS token, cursor.promoted_seq AS promoted_seq

// Takes the turn to commit a run, then the turn of the texts, and reads the progress.
//
// Parameters: $realm, $now
// Returns: token (random word that names this realm's content),
//   promoted_seq (number of the latest consolidated memory)
// Access: write

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = randomUUID()
SET cursor.locked_at = $now
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
RETURN cursor.token AS token, cursor.promoted_seq AS promoted_seq

// Reads how far consolidation has come, and if a run that is known elsewhere took place here.
//
// Parameters: $realm, $run
// Returns: token (random word that names this realm's content),
//   promoted_seq (number of the latest consolidated memory), run (latest run),
//   promoted_to (of the run $run), forgotten_count (number of memories forgotten so far)
// Access: read

CYPHER 25
MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
OPTIONAL MATCH (run:Run {realm: $realm, id: $run})
OPTIONAL MATCH (texts:Cursor {realm: $realm, id: 'texts'})
RETURN cursor.token AS token, cursor.promoted_seq AS promoted_seq, cursor.run AS run,
       run.promoted_to AS promoted_to, coalesce(texts.forgotten_count, 0) AS forgotten_count

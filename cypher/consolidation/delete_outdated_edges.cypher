// Removes edges by similarity among the memories of a rebuild that it did not write.
//
// Each of its transactions takes the turn of the texts. It can't lock all memories by id, so it may
// be repeated.
//
// Parameters: $realm, $now, $run, $last_seq
// Returns: dropped (1 for each edge removed)
// Access: batch

CYPHER 25
MATCH (low:Memory)
  USING INDEX SEEK low:Memory(realm, promoted_seq)
  WHERE low.realm = $realm AND low.promoted_seq <= $last_seq
MATCH (low)-[edge:SIMILAR]->(high:Memory)
WHERE high.promoted_seq <= $last_seq AND edge.origin = 'similarity' AND edge.run <> $run
CALL (edge) {
  MERGE (texts:Cursor {realm: $realm, id: 'texts'})
  SET texts.locked_at = $now
  DELETE edge
} IN TRANSACTIONS OF 2000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN 1 AS dropped

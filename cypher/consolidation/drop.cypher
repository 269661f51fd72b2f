// Removes edges by similarity among the memories of a rebuild that it did not find.
//
// Parameters: $realm, $run, $upto
// Returns: dropped
// Access: batch

CYPHER 25
MATCH (low:Memory)
  USING INDEX SEEK low:Memory(realm, promoted_seq)
  WHERE low.realm = $realm AND low.promoted_seq <= $upto
MATCH (low)-[edge:SIMILAR]->(high:Memory)
WHERE high.promoted_seq <= $upto AND edge.origin = 'similarity' AND edge.run <> $run
CALL (edge) {
  DELETE edge
} IN TRANSACTIONS OF 2000 ROWS
RETURN 1 AS dropped

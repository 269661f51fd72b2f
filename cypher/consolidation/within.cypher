// Every consolidated memory at least so similar to a vector, exactly: for few vectors only.
//
// Parameters: $realm, $vector, $least, $upto
// Returns: ids
// Access: read

CYPHER 25
MATCH (m:Memory)
  USING INDEX SEEK m:Memory(realm, promoted_seq)
WHERE m.realm = $realm AND m.promoted_seq <= $upto
  AND 1 - vector_distance(vector(m.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE) >= $least
RETURN collect(m.id) AS ids

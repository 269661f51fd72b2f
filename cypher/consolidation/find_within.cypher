// Finds every consolidated memory at least so similar to a vector, exactly: for few vectors only.
//
// Parameters: $realm, $vector, $least, $last_seq
// Returns: ids (ids of the memories found)
// Access: read

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, promoted_seq)
WHERE memory.realm = $realm AND memory.promoted_seq <= $last_seq
  AND 1 - vector_distance(
        vector(memory.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE
      ) >= $least
RETURN collect(memory.id) AS ids

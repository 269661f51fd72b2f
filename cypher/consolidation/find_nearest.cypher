// Finds the memories nearest to a vector by the index, approximately.
//
// Parameters: $realm, $vector, $count
// Returns: id (id of the memory), similarity (score of the index from 0 to 1)
// Access: read

CYPHER 25
MATCH (memory:Memory)
SEARCH memory IN (
  VECTOR INDEX knowledge_embedding
  FOR $vector
  WHERE memory.realm = $realm AND memory.kind = 'text'
  LIMIT $count
) SCORE AS similarity
RETURN memory.id AS id, similarity

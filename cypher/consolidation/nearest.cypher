// The memories nearest to a vector, by the index: approximate.
//
// Parameters: $realm, $vector, $count
// Returns: id, similarity
// Access: read

CYPHER 25
MATCH (m:Memory)
SEARCH m IN (
  VECTOR INDEX knowledge_embedding
  FOR $vector
  WHERE m.realm = $realm AND m.kind = 'text'
  LIMIT $count
) SCORE AS similarity
RETURN m.id AS id, similarity

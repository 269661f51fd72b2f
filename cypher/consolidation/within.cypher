// Every consolidated memory at least so similar to a vector, exactly: for few vectors only.
//
// Parameters: $realm, $vector, $least, $upto
// Returns: ids
// Access: read

CYPHER 25
MATCH (m:Memory)
WHERE m.realm = $realm AND m.promoted_seq <= $upto
  AND vector.similarity.cosine(m.embedding, $vector) >= $least
RETURN collect(m.id) AS ids

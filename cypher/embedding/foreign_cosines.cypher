// Finds the best cosine of each question with the texts of a realm.
//
// Parameters: $realm, $vectors
// Returns: cosine (cosine of a question's best hit)
// Access: read

CYPHER 25
UNWIND $vectors AS question
CALL (question) {
  MATCH (memory:Memory)
    SEARCH memory IN (
      VECTOR INDEX knowledge_embedding FOR question
      WHERE memory.realm = $realm AND memory.kind = 'text'
      LIMIT 10
    ) SCORE AS similarity
  RETURN max(2 * similarity - 1) AS cosine
}
FILTER cosine IS NOT NULL
RETURN cosine

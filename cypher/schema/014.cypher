// Vector index of recorded lines, by which questions in words reach their causes.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Realms: all

CYPHER 25

// causal_embedding: vectors of intents and consequences, filtered by realm inside the index.
CREATE VECTOR INDEX causal_embedding IF NOT EXISTS
FOR (n:Intent|Consequence) ON n.embedding WITH [n.realm]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false
}};

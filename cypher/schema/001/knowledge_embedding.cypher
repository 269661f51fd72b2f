// Vectors of memories and narratives, filtered by realm inside the index.
//
// No dimension is fixed, so that realms with different models live on one server. The vectors are
// not shortened: a shortened index fails as soon as a search asks for more than it holds and one of
// its vectors has been removed.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE VECTOR INDEX knowledge_embedding IF NOT EXISTS
FOR (n:Memory|Narrative) ON n.embedding WITH [n.realm, n.kind]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false
}}

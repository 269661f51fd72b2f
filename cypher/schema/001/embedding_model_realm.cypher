// One EmbeddingModel per realm: vectors of two models are never mixed.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT embedding_model_realm IF NOT EXISTS
FOR (n:EmbeddingModel) REQUIRE n.realm IS UNIQUE

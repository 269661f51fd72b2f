// Records that the edges of a realm have been scored by its new model.
//
// Parameters: $realm
// Returns: name (the model)
// Access: write

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
REMOVE model.rescore
RETURN model.name AS name

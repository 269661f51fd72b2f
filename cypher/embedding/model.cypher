// The model this realm's vectors are made with, and its calibration; no row before the first.
//
// Parameters: $realm
// Returns: name, dimensions, mean, spread
// Access: read

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
RETURN model.name AS name, model.dimensions AS dimensions,
       model.mean AS mean, model.spread AS spread

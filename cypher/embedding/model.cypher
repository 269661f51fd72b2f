// Reads the model of a realm's vectors and its calibration; no row before the first text.
//
// Parameters: $realm
// Returns: name (of the model), dimensions (of its vectors), mean (cosine of unrelated texts),
//   spread (standard deviation of such cosines)
// Access: read

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
RETURN model.name AS name, model.dimensions AS dimensions,
       model.mean AS mean, model.spread AS spread

// Names the model of a realm's vectors, unless another process has named one.
//
// Parameters: $realm, $now, $name, $dimensions, $mean, $spread
// Returns: name (of the model), dimensions (of its vectors), mean (cosine of unrelated texts),
//   spread (standard deviation of such cosines)
// Access: write

CYPHER 25
MERGE (model:EmbeddingModel {realm: $realm})
ON CREATE SET model.name = $name, model.dimensions = $dimensions, model.mean = $mean,
              model.spread = $spread, model.measured_at = $now, model.caption = $name
RETURN model.name AS name, model.dimensions AS dimensions,
       model.mean AS mean, model.spread AS spread

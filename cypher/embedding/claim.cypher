// The model this realm's vectors are made with: whoever comes first decides.
//
// Parameters: $realm, $now, $name, $dimensions, $mean, $spread
// Returns: name, dimensions, mean, spread
// Access: write

CYPHER 25
MERGE (model:EmbeddingModel {realm: $realm})
ON CREATE SET model.name = $name, model.dimensions = $dimensions, model.mean = $mean,
              model.spread = $spread, model.measured_at = $now, model.caption = $name
RETURN model.name AS name, model.dimensions AS dimensions,
       model.mean AS mean, model.spread AS spread

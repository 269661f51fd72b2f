// Reads the model of a realm's vectors, its calibration, and the model that is to replace it.
//
// No row before the first text.
//
// Parameters: $realm
// Returns: name (of the model), dimensions (of its vectors), mean (cosine of unrelated texts),
//   spread (standard deviation of such cosines), next_name (model whose vectors will replace these
//   or null), swapping (true while they are being replaced),
//   rescore (true if edges are still those of another model)
// Access: read

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
RETURN model.name AS name, model.dimensions AS dimensions,
       model.mean AS mean, model.spread AS spread, model.next_name AS next_name,
       coalesce(model.swapping, false) AS swapping,
       coalesce(model.rescore, false) AS rescore

// Reads what cosines the texts of a realm have with each other, as they were measured.
//
// Parameters: $realm
// Returns: mean (of the cosines of pairs of texts), deviation (their standard deviation),
//   texts (number of texts when they were measured)
// Access: read

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
WHERE model.text_deviation IS NOT NULL
RETURN model.text_mean AS mean, model.text_deviation AS deviation, model.text_measured AS texts

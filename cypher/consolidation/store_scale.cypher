// Stores what cosines the texts of a realm have with each other.
//
// Parameters: $realm, $mean, $deviation, $texts
// Returns: texts (number of texts that were measured)
// Access: write
// Locks: the EmbeddingModel, under the turn of consolidation

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.text_mean = $mean, model.text_deviation = $deviation, model.text_measured = $texts
RETURN model.text_measured AS texts

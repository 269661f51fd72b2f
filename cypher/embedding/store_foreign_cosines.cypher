// Stores how close the best hits of foreign questions come in a realm.
//
// Parameters: $realm, $texts, $median, $deviation
// Returns: texts (number of texts they were measured among)
// Access: write

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.foreign_median = $median, model.foreign_deviation = $deviation,
    model.foreign_texts = $texts
RETURN model.foreign_texts AS texts

// Forgets the model that was to replace the present one, before any vector was replaced.
//
// Parameters: $realm, $now
// Returns: name (model of the present vectors)
// Access: write
// Locks: the EmbeddingModel

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.locked_at = $now
WITH model WHERE model.swapping IS NULL
REMOVE model.next_name
RETURN model.name AS name

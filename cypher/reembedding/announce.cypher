// Announces that the vectors of a realm are being replaced: from now on, readers wait.
//
// Parameters: $realm, $now, $model
// Returns: name (model of the present vectors; no row if another model is to replace them)
// Access: write
// Locks: the EmbeddingModel

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.locked_at = $now
WITH model WHERE model.next_name = $model
SET model.swapping = true
RETURN model.name AS name

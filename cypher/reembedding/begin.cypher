// Names the model whose vectors are to replace those of a realm.
//
// While vectors are being replaced, their model stays.
//
// Parameters: $realm, $now, $model
// Returns: name (model of the present vectors), next_name (model that is to replace it)
// Access: write
// Locks: the EmbeddingModel

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.locked_at = $now
SET model.next_name = CASE WHEN model.swapping THEN model.next_name ELSE $model END
RETURN model.name AS name, model.next_name AS next_name

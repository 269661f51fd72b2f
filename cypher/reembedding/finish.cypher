// Names the new model of a realm, with its calibration, once all vectors are replaced.
//
// Vectors that other machines have in a cache are outdated by the new token.
//
// Parameters: $realm, $now, $model, $dimensions, $mean, $spread
// Returns: name (the new model)
// Access: write
// Locks: the EmbeddingModel

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm})
SET model.locked_at = $now
WITH model WHERE model.next_name = $model AND model.swapping
SET model.name = $model, model.dimensions = $dimensions, model.mean = $mean,
    model.spread = $spread, model.measured_at = $now, model.caption = $model,
    model.rescore = true
REMOVE model.next_name, model.swapping, model.foreign_texts, model.foreign_median,
       model.foreign_deviation
WITH model
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
FOREACH (each IN CASE WHEN cursor IS NULL THEN [] ELSE [cursor] END |
  SET each.token = randomUUID())
RETURN model.name AS name

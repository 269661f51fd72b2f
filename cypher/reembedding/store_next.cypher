// Stores vectors of the next model beside the present ones, which go on being searched.
//
// A vector of words that were changed while they were embedded is not stored.
//
// Parameters: $realm, $model, $rows
// Returns: id (of a node that got its next vector)
// Access: write
// Locks: the nodes in the order of the rows, which come by id

CYPHER 25
// 1. The nodes, if this model is still the next one: node.
MATCH (model:EmbeddingModel {realm: $realm}) WHERE model.next_name = $model
UNWIND $rows AS row
CALL (row) {
  MATCH (node:Memory {realm: $realm, id: row.id}) WHERE row.label = 'Memory' RETURN node
UNION ALL
  MATCH (node:Narrative {realm: $realm, id: row.id}) WHERE row.label = 'Narrative' RETURN node
UNION ALL
  MATCH (node:Intent {realm: $realm, id: row.id}) WHERE row.label = 'Intent' RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id}) WHERE row.label = 'Consequence' RETURN node
UNION ALL
  MATCH (node:Actor {realm: $realm, id: row.id}) WHERE row.label = 'Actor' RETURN node
UNION ALL
  MATCH (node:Moment {realm: $realm, id: row.id}) WHERE row.label = 'Moment' RETURN node
UNION ALL
  MATCH (node:Space {realm: $realm, id: row.id}) WHERE row.label = 'Space' RETURN node
UNION ALL
  MATCH (node:Thing {realm: $realm, id: row.id}) WHERE row.label = 'Thing' RETURN node
}
// 2. Their next vectors.
SET node.embedding_next_model = $model
WITH node, row
WHERE node.embedding IS NOT NULL
  AND (NOT node:Memory OR row.text = coalesce(node.passage, node.text))
CALL db.create.setNodeVectorProperty(node, 'embedding_next', row.vector)
RETURN node.id AS id

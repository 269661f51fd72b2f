// Stores vectors of intents, consequences and actors, as float32.
//
// Parameters: $realm, $model, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (node:Intent {realm: $realm, id: row.id}) WHERE row.label = 'Intent' RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id}) WHERE row.label = 'Consequence' RETURN node
UNION ALL
  MATCH (node:Actor {realm: $realm, id: row.id})
  WHERE row.label = 'Actor' AND node.embedding IS NULL
  RETURN node
}
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
SET node.embedding_model = $model
REMOVE node.embedding_next, node.embedding_next_model

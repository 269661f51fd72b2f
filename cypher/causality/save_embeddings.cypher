// Stores vectors of intents, consequences and actors, as float32.
//
// The vector of a text that was changed while it was embedded is not stored, nor one of a model
// that is not the realm's own any more, or is just being replaced. What has a vector keeps it.
//
// Parameters: $realm, $now, $session_id, $model, $rows
// Returns: stored (number of vectors)
// Access: write
// Locks: the Session node

CYPHER 25
// 1. The lock: no other writer of the session changes a text from here on.
MATCH (session:Session {realm: $realm, id: $session_id})
SET session.locked_at = $now
REMOVE session.locked_at
// 2. A session that is whole (one that is being written has no run), and the realm's model.
WITH session WHERE session.run_id IS NOT NULL
OPTIONAL MATCH (own:EmbeddingModel {realm: $realm})
WITH own WHERE own IS NULL OR own.name = $model AND own.swapping IS NULL
// 3. The nodes that still have the text of the vector: node.
UNWIND $rows AS row
CALL (row) {
  MATCH (node:Intent {realm: $realm, id: row.id})
  WHERE row.label = 'Intent' AND node.text = row.text
  RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id})
  WHERE row.label = 'Consequence' AND node.text = row.text
  RETURN node
UNION ALL
  MATCH (node:Actor {realm: $realm, id: row.id})
  WHERE row.label = 'Actor' AND node.name = row.text
  RETURN node
}
WITH node, row WHERE node.embedding IS NULL
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
SET node.embedding_model = $model
REMOVE node.embedding_next, node.embedding_next_model
RETURN count(*) AS stored

// Stores the vectors of texts; one that has its vector already keeps it.
//
// Each is locked first. What somebody forgot meanwhile has no properties any more and is left out.
//
// Parameters: $realm, $now, $model, $rows
// Returns: id
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
SET m.locked_at = $now
WITH m, row WHERE m.locked_at IS NOT NULL
REMOVE m.unembedded
WITH m, row WHERE m.embedding IS NULL
CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)
SET m.embedding_model = $model
REMOVE m.set_aside
RETURN m.id AS id

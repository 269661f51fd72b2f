// Stores the vectors of texts; a text that has its vector already keeps it.
//
// A vector of words that were changed while they were embedded is not stored.
// Nor is a vector of a model that is not the realm's own any more, or is just being replaced.
// A text that was forgotten while its lock was awaited has no properties any more and is left out.
//
// Parameters: $realm, $now, $model, $rows
// Returns: id (of each text that got this vector)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
OPTIONAL MATCH (own:EmbeddingModel {realm: $realm})
WITH own WHERE own IS NULL OR own.name = $model AND own.swapping IS NULL
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
SET memory.locked_at = $now
WITH memory, row WHERE memory.locked_at IS NOT NULL
  AND (row.text IS NULL OR row.text = coalesce(memory.passage, memory.text))
REMOVE memory.unembedded
WITH memory, row WHERE memory.embedding IS NULL
CALL db.create.setNodeVectorProperty(memory, 'embedding', row.vector)
SET memory.embedding_model = $model
REMOVE memory.set_aside, memory.embedding_next, memory.embedding_next_model
RETURN memory.id AS id

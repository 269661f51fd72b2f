// Lists duplicates by id from an id on, with their passages and those of their originals.
//
// Parameters: $realm, $after, $limit
// Returns: id (id of the duplicate), passage (its passage), embedded (true if it has a vector),
//   original (passage of its original or null),
//   original_embedded (true if the original has a vector)
// Access: read

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.realm = $realm AND memory.id > $after AND memory.duplicate_of IS NOT NULL
WITH memory ORDER BY memory.id LIMIT $limit
OPTIONAL MATCH (source:Memory {realm: $realm, id: memory.duplicate_of})
RETURN memory.id AS id,
       coalesce(memory.passage, memory.text) AS passage,
       memory.embedding IS NOT NULL AS embedded,
       coalesce(source.passage, source.text) AS original,
       source.embedding IS NOT NULL AS original_embedded
ORDER BY id

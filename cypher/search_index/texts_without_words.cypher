// Reads text memories whose words an older version counted, in the order of their ids.
//
// Parameters: $realm, $after, $limit
// Returns: id (id of the memory)
// Access: read

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.realm = $realm AND memory.id > $after AND memory.kind = 'text'
  AND memory.words IS NULL
RETURN memory.id AS id
ORDER BY memory.realm, memory.id LIMIT $limit

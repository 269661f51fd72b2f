// Reads text memories of a realm as far as their marks follow from it, in the order of their ids.
//
// Parameters: $realm, $after, $limit
// Returns: id (id of the memory), marks (those that it has), fields (properties that are marked)
// Access: read

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.realm = $realm AND memory.id > $after AND memory.kind = 'text'
RETURN memory.id AS id, memory.marks AS marks,
       memory {.tags, .session, .speaker, .actor, .category, .about, .metadata} AS fields
ORDER BY memory.realm, memory.id LIMIT $limit

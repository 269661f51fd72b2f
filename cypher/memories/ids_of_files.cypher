// Returns the ids of memories that begin with the name of a file or of a folder.
//
// Parameters: $realm, $prefix
// Returns: id (id of the memory)
// Access: read

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.id STARTS WITH $prefix AND memory.kind = 'text'
  AND memory.metadata CONTAINS '"file": '
RETURN memory.id AS id ORDER BY id

// Returns text memories by their ids, as answers quote them.
//
// Parameters: $realm, $ids
// Returns: id (of the memory), text (of the memory), at (time at which it was said)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.kind = 'text'
RETURN memory.id AS id, memory.text AS text, memory.first_seen AS at

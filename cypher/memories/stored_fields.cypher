// Returns the fields of memories as they are stored, to compare them with those of a file.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), text (its words),
//   fields (tags, category, actor, session, speaker, about, lasts, time and metadata as JSON)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.kind = 'text'
RETURN memory.id AS id, memory.text AS text,
       memory {.tags, .category, .actor, .session, .speaker, .about, .metadata,
               lasts: memory.tier, at: memory.first_seen} AS fields

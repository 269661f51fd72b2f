// Reads the passages of some memories, with title, date and speaker, as they were embedded.
//
// A text that is forgotten while it is read has no properties any more, and is left out. So is what
// is superseded: nobody repeats or changes it.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), passage (its passage as it was embedded)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WITH id, coalesce(memory.passage, memory.text) AS passage, memory.superseded_by AS successor
WHERE passage IS NOT NULL AND successor IS NULL
RETURN id, passage

// Reads consolidated memories by id, with their vectors.
//
// Parameters: $realm, $ids, $last_seq
// Returns: number (its number among the consolidated memories), id (id of the memory),
//   embedding (vector of its text), tags (its tags), category (its category or an empty text),
//   hours (active hours at the latest use or -1),
//   mean (of its cosines with other texts, or null),
//   deviation (standard deviation of these cosines, or null)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.promoted_seq <= $last_seq
RETURN memory.promoted_seq AS number, memory.id AS id, memory.embedding AS embedding,
       coalesce(memory.tags, []) AS tags, coalesce(memory.category, '') AS category,
       coalesce(memory.last_reinforced_hours, -1.0) AS hours,
       memory.cosine_mean AS mean, memory.cosine_deviation AS deviation

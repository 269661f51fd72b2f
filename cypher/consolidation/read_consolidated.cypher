// Reads consolidated memories with their vectors, in the order of their consolidation.
//
// Parameters: $realm, $after, $last_seq, $limit
// Returns: number (its number among the consolidated memories), id (id of the memory),
//   embedding (vector of its text), tags (its tags), category (its category or an empty text),
//   hours (active hours at the latest use or -1),
//   mean (of its cosines with other texts, or null),
//   deviation (standard deviation of these cosines, or null)
// Access: read

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.promoted_seq > $after AND memory.promoted_seq <= $last_seq
RETURN memory.promoted_seq AS number, memory.id AS id, memory.embedding AS embedding,
       coalesce(memory.tags, []) AS tags, coalesce(memory.category, '') AS category,
       coalesce(memory.last_reinforced_hours, -1.0) AS hours,
       memory.cosine_mean AS mean, memory.cosine_deviation AS deviation
ORDER BY number LIMIT $limit

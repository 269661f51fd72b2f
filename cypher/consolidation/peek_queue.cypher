// Reads the memories that have waited longest, without claiming them.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $limit
// Returns: id (id of the memory), text (passage to embed), tags (its tags),
//   category (its category or an empty text), embedding (vector of its text or null)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm, waiting: true})
WITH memory ORDER BY memory.arrival, memory.id LIMIT $limit
WITH memory, coalesce(memory.passage, memory.text) AS text WHERE text IS NOT NULL
RETURN memory.id AS id, text, coalesce(memory.tags, []) AS tags,
       coalesce(memory.category, '') AS category, memory.embedding AS embedding

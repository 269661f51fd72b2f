// The memories that have waited longest, untouched: what a run would take.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $limit
// Returns: id, text, tags, category, embedding
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, waiting: true})
WITH m ORDER BY m.arrival, m.id LIMIT $limit
WITH m, coalesce(m.passage, m.text) AS text WHERE text IS NOT NULL
RETURN m.id AS id, text, coalesce(m.tags, []) AS tags,
       coalesce(m.category, '') AS category, m.embedding AS embedding

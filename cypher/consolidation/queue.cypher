// The memories that have waited longest, untouched: what a run would take.
//
// Parameters: $realm, $limit
// Returns: id, text, tags, category, embedding
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, waiting: true})
WITH m ORDER BY m.arrival, m.id LIMIT $limit
RETURN m.id AS id, coalesce(m.passage, m.text) AS text, coalesce(m.tags, []) AS tags,
       coalesce(m.category, '') AS category, m.embedding AS embedding

// Texts that have no vector yet.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $limit
// Returns: id, text
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, unembedded: true})
WITH m.id AS id, coalesce(m.passage, m.text) AS text WHERE id IS NOT NULL AND text IS NOT NULL
RETURN id, text
LIMIT $limit

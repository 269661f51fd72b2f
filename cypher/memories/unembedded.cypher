// Texts that have no vector yet.
//
// Parameters: $realm, $limit
// Returns: id, text
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, unembedded: true})
RETURN m.id AS id, coalesce(m.passage, m.text) AS text
LIMIT $limit

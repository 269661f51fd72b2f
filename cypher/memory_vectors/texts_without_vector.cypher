// Returns texts that have no vector yet.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $limit
// Returns: id (id of the text), text (as it is embedded: title, date, speaker and words)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm, unembedded: true})
WITH memory.id AS id, coalesce(memory.passage, memory.text) AS text
WHERE id IS NOT NULL AND text IS NOT NULL
RETURN id, text
LIMIT $limit

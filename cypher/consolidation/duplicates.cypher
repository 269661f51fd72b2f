// Duplicates by id, with what they say and what their originals say, from an id on.
//
// Parameters: $realm, $after, $limit
// Returns: id, passage, embedded, original, original_embedded
// Access: read

CYPHER 25
MATCH (m:Memory)
  USING INDEX SEEK m:Memory(realm, id)
WHERE m.realm = $realm AND m.id > $after AND m.duplicate_of IS NOT NULL
WITH m ORDER BY m.id LIMIT $limit
OPTIONAL MATCH (of:Memory {realm: $realm, id: m.duplicate_of})
RETURN m.id AS id, coalesce(m.passage, m.text) AS passage, m.embedding IS NOT NULL AS embedded,
       coalesce(of.passage, of.text) AS original, of.embedding IS NOT NULL AS original_embedded
ORDER BY id

// Texts that have no vector yet: those among some ids, or any.
//
// Parameters: $realm, $ids, $limit
// Returns: id, text
// Access: read

CYPHER 25
CALL () {
  WITH * WHERE $ids IS NOT NULL
  UNWIND $ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
  WHERE m.kind = 'text' AND m.embedding IS NULL
  RETURN m
UNION ALL
  WITH * WHERE $ids IS NULL
  MATCH (m:Memory {realm: $realm, unembedded: true})
  RETURN m
}
RETURN m.id AS id, coalesce(m.passage, m.text) AS text
LIMIT $limit

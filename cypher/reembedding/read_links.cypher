// Reads links in the order of their ids, with their text and the next vectors of their ends.
//
// Parameters: $realm, $after, $limit, $model
// Returns: id (of the link), text (of its vector or null), start (next vector of its start or
//   null), end (that of its end), pending (true if it has a vector and none of the next model)
// Access: read

CYPHER 25
MATCH (start)-[link:LINK]->(end)
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id > $after
WITH start, link, end ORDER BY link.id LIMIT $limit
LET pending = link.embedding IS NOT NULL AND coalesce(link.embedding_next_model <> $model, true)
RETURN link.id AS id, link.synthesis AS text,
       CASE WHEN pending THEN start.embedding_next END AS start,
       CASE WHEN pending THEN end.embedding_next END AS end, pending
ORDER BY id

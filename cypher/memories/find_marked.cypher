// Finds the memories that may pass a filter by their marks, if there are fewer than a limit.
//
// A duplicate is in no realm of the fulltext index, so duplicates are read by their own index.
//
// Parameters: $realm, $realm_key, $clauses, $duplicates, $limit
// Returns: ids (of these memories, or null if there are more)
// Access: read

CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes(
    'memory_words', '+realm_key:' + $realm_key + '^0 ' + $clauses, {limit: $limit}
  ) YIELD node
  RETURN node.id AS id
UNION ALL
  WITH $duplicates AS included WHERE included
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.duplicate_of IS NOT NULL
  RETURN memory.id AS id LIMIT $limit
}
WITH collect(id) AS ids
RETURN CASE WHEN size(ids) < $limit THEN ids END AS ids

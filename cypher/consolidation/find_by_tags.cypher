// Finds consolidated memories that carry one of some tags.
//
// Parameters: $realm, $query, $last_seq
// Returns: ids (ids of the memories found)
// Access: read

CYPHER 25
CALL db.index.fulltext.queryNodes('memory_tags', $query) YIELD node
WITH node WHERE node.realm = $realm AND node.promoted_seq <= $last_seq
RETURN collect(node.id) AS ids

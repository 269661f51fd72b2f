// Consolidated memories that carry one of some tags.
//
// Parameters: $realm, $query, $upto
// Returns: ids
// Access: read

CYPHER 25
CALL db.index.fulltext.queryNodes('memory_tags', $query) YIELD node
WITH node WHERE node.realm = $realm AND node.promoted_seq <= $upto
RETURN collect(node.id) AS ids

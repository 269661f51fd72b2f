// Creates nodes to walk on. An id that exists under the label already is a conflict.
//
// Parameters: $realm, $now, $rows
// Returns: id (of the node), labels (of the node), element_id (of the node)
// Access: write

CYPHER 25
UNWIND $rows AS row
CREATE (node:$(row.label))
SET node = row.properties, node.realm = $realm, node.created_at = $now
CALL (node, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(node, 'embedding', row.embedding)
}
RETURN node.id AS id, labels(node) AS labels, elementId(node) AS element_id

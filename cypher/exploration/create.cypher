// Creates nodes to walk on; an id that is taken already is a conflict.
//
// Parameters: $realm, $now, $rows
// Returns: id, element
// Access: write

CYPHER 25
UNWIND $rows AS row
CREATE (n:$(row.label))
SET n = row.properties, n.realm = $realm, n.created_at = $now
CALL (n, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
}
RETURN n.id AS id, elementId(n) AS element

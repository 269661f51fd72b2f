// Joins nodes by links; those whose ends are gone are left out, and so not counted.
//
// Parameters: $realm, $now, $rows
// Returns: id, element
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.a AND a.realm = $realm
MATCH (b) WHERE elementId(b) = row.b AND b.realm = $realm
CREATE (a)-[r:LINK]->(b)
SET r = row.properties, r.realm = $realm, r.created_at = $now
CALL (r, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(r, 'embedding', row.embedding)
}
RETURN r.id AS id, elementId(r) AS element

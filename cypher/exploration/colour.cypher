// Writes the weights and vectors that colouring gave to links, which are locked.
//
// Parameters: $realm, $rows
// Returns: coloured
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[r:LINK]->() WHERE elementId(r) = row.element AND r.realm = $realm
SET r.weight = row.weight
CALL (r, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(r, 'embedding', row.embedding)
}
RETURN count(r) AS coloured

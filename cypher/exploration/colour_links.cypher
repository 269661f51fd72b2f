// Writes the weights and vectors of coloured links.
//
// The links are locked by exploration/lock_links in the same transaction.
//
// Parameters: $realm, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[link:LINK]->() WHERE elementId(link) = row.element_id AND link.realm = $realm
SET link.weight = row.weight
CALL (link, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(link, 'embedding', row.embedding)
}

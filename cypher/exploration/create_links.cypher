// Creates links between nodes. A row of which an end no longer exists returns nothing.
//
// Parameters: $realm, $now, $rows
// Returns: id (of the link)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (start) WHERE elementId(start) = row.a AND start.realm = $realm
MATCH (end) WHERE elementId(end) = row.b AND end.realm = $realm
CREATE (start)-[link:LINK]->(end)
SET link = row.properties, link.realm = $realm, link.created_at = $now
CALL (link, row) {
  FILTER row.embedding IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(link, 'embedding', row.embedding)
}
RETURN link.id AS id

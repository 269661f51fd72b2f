// Stores vectors of the next model of links beside the present ones.
//
// Parameters: $realm, $model, $rows
// Returns: id (of a link that got its next vector)
// Access: write
// Locks: the links in the order of the rows, which come by id

CYPHER 25
MATCH (model:EmbeddingModel {realm: $realm}) WHERE model.next_name = $model
UNWIND $rows AS row
MATCH ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = row.id
SET link.embedding_next_model = $model
WITH link, row WHERE link.embedding IS NOT NULL
CALL db.create.setRelationshipVectorProperty(link, 'embedding_next', row.vector)
RETURN link.id AS id

// Puts the next vectors of links in the place of the present ones.
//
// A link without a next vector loses its own: walks take that of its far end. The name of the model
// stays on the link, since it says that this has been done.
//
// Parameters: $realm, $model, $rows
// Returns: id (of the link), followed (false if there was no vector of the next model)
// Access: write
// Locks: the links in the order of the rows, which come by id, by a write that changes nothing

CYPHER 25
UNWIND $rows AS row
MATCH ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = row.id
SET link.realm = $realm
WITH link, link.embedding_next AS vector,
     coalesce(link.embedding_next_model = $model, false) AS is_next
WHERE link.embedding IS NOT NULL AND (vector IS NOT NULL OR NOT is_next)
LET followed = vector IS NOT NULL AND is_next
REMOVE link.embedding, link.embedding_next
SET link.embedding_next_model = $model
CALL (link, vector, followed) {
  FILTER followed
  CALL db.create.setRelationshipVectorProperty(link, 'embedding', vector)
}
RETURN link.id AS id, followed

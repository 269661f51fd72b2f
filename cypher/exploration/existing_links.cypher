// Returns those of the ids that links have already.
//
// Parameters: $realm, $ids
// Returns: id (of an existing link)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = id
RETURN link.id AS id

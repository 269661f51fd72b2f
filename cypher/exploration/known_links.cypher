// Which of these ids are links already.
//
// Parameters: $realm, $ids
// Returns: id
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH ()-[r:LINK]->()
  USING INDEX SEEK r:LINK(realm, id)
  WHERE r.realm = $realm AND r.id = id
RETURN r.id AS id

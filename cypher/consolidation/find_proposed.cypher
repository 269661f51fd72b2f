// Finds which pairs of memories a proposal or a chain of corrections joins already.
//
// Parameters: $realm, $rows
// Returns: id (id of one memory), other (id of the other)
// Access: read

CYPHER 25
UNWIND $rows AS row
MATCH (later:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK later:Memory(realm, id)
MATCH (earlier:Memory {realm: $realm, id: row.of})
  USING INDEX SEEK earlier:Memory(realm, id)
WHERE EXISTS { (later)-[:MAY_UPDATE]-(earlier) }
  OR EXISTS { (later)-[:SUPERSEDES]->+(earlier) }
  OR EXISTS { (earlier)-[:SUPERSEDES]->+(later) }
RETURN DISTINCT row.id AS id, earlier.id AS other

// Finds which pairs of memories a proposal joins already, in either direction.
//
// Parameters: $realm, $rows
// Returns: id (id of one memory), other (id of the other)
// Access: read

CYPHER 25
UNWIND $rows AS row
MATCH (later:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK later:Memory(realm, id)
MATCH (later)-[:MAY_UPDATE]-(earlier:Memory)
WHERE earlier.id = row.of
RETURN DISTINCT row.id AS id, earlier.id AS other

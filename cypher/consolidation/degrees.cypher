// The similarity edges of some memories, the weakest first.
//
// Parameters: $realm, $ids
// Returns: id, edges
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})-[edge:SIMILAR]-(other:Memory)
  USING INDEX SEEK m:Memory(realm, id)
WITH id, edge, other ORDER BY edge.weight, edge.edge_id
RETURN id, collect({edge_id: edge.edge_id, other: other.id, weight: edge.weight,
                    used: coalesce(edge.reinforcement_count, 0) > 0}) AS edges

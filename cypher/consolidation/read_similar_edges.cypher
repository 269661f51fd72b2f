// Reads the similarity edges of some memories, the weakest first.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), edges (id with other end and weight and use)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})-[edge:SIMILAR]-(other:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WITH id, edge, other ORDER BY edge.weight, edge.edge_id
RETURN id, collect({edge_id: edge.edge_id, other: other.id, weight: edge.weight,
                    used: coalesce(edge.reinforcement_count, 0) > 0}) AS edges

// Reads the weakest of a memory's best edges: what another had to beat to be proposed by it.
//
// Parameters: $realm, $id, $run, $best
// Returns: weight (weight to beat or null if none)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm, id: $id})-[edge:SIMILAR]-(:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE edge.run = $run
WITH edge.weight AS weight ORDER BY weight DESC
WITH collect(weight) AS weights
RETURN CASE WHEN size(weights) >= $best THEN weights[$best - 1] END AS weight

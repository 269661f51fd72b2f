// Creates edges by similarity, the lesser id first. One that is there already stays as it is.
//
// Parameters: $realm, $now, $run, $shared, $rows
// Returns: created (number of edges that this run created),
//   written (number of edges created or there already)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (low:Memory {realm: $realm, id: row.low})
MATCH (high:Memory {realm: $realm, id: row.high})
MERGE (low)-[edge:SIMILAR {realm: $realm}]->(high)
ON CREATE SET edge += row.parts, edge += $shared, edge.edge_id = row.edge_id,
              edge.created_at = $now, edge.written_by = $run
RETURN sum(CASE WHEN edge.written_by = $run THEN 1 ELSE 0 END) AS created, count(*) AS written

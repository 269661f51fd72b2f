// Rewrites edges by similarity as a rebuild scores them, keeping what use has made of them.
//
// Parameters: $realm, $now, $run, $shared, $rows
// Returns: created (number of edges that this run created),
//   written (number of edges created or rewritten)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (low:Memory {realm: $realm, id: row.low})
MATCH (high:Memory {realm: $realm, id: row.high})
MERGE (low)-[edge:SIMILAR {realm: $realm}]->(high)
ON CREATE SET edge.edge_id = row.edge_id, edge.created_at = $now, edge.written_by = $run,
              edge.reinforcement_count = 0, edge.last_reinforced_hours = $shared.hours
SET edge += row.parts, edge += $shared
RETURN sum(CASE WHEN edge.written_by = $run THEN 1 ELSE 0 END) AS created, count(edge) AS written

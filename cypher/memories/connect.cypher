// Draws an edge by hand from one memory to another; drawn again, it is the same edge.
//
// Parameters: $realm, $now, $start_id, $end_id, $type, $weight, $hours
// Returns: edge (its properties, type and ends), created (true if it was not there)
// Access: write
// Locks: the Cursor 'texts', then both Memory nodes by id

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
MATCH (start:Memory {realm: $realm, id: $start_id}), (end:Memory {realm: $realm, id: $end_id})
FOREACH (memory IN CASE WHEN start.id < end.id THEN [start, end] ELSE [end, start] END |
  SET memory.locked_at = $now)
WITH start, end
OPTIONAL MATCH (start)-[existing:$($type)]->(end)
WITH start, end, count(existing) = 0 AS created
MERGE (start)-[edge:$($type) {realm: $realm}]->(end)
ON CREATE SET edge.weight = $weight, edge.origin = 'agent', edge.created_at = $now,
              edge.reinforcement_count = 0, edge.last_reinforced_hours = $hours
RETURN edge {.*, type: type(edge), from: start.id, to: end.id} AS edge, created

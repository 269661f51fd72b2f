// Somebody says how one memory bears on another; said again, it is the same connection.
//
// Takes the turn of the texts, then locks both by id.
//
// Parameters: $realm, $now, $from, $to, $type, $weight, $hours
// Returns: edge, created
// Access: write

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
MATCH (a:Memory {realm: $realm, id: $from}), (b:Memory {realm: $realm, id: $to})
FOREACH (end IN CASE WHEN a.id < b.id THEN [a, b] ELSE [b, a] END | SET end.locked_at = $now)
WITH a, b
OPTIONAL MATCH (a)-[known:$($type)]->(b)
WITH a, b, count(known) = 0 AS created
MERGE (a)-[edge:$($type) {realm: $realm}]->(b)
ON CREATE SET edge.weight = $weight, edge.origin = 'agent', edge.created_at = $now,
              edge.reinforcement_count = 0, edge.last_reinforced_hours = $hours
RETURN edge {.*, type: type(edge), from: a.id, to: b.id} AS edge, created

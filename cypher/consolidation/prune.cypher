// Removes automatic edges that have faded below a weight; what a person said stays.
//
// Each of its transactions takes the turn of the texts; it can't lock all memories by id, so it may
// be repeated.
//
// Parameters: $realm, $now, $settings, $hours
// Returns: pruned (1 for each edge removed)
// Access: batch

CYPHER 25
MATCH (memory:Memory)
  USING INDEX SEEK memory:Memory(realm, promoted_seq)
  WHERE memory.realm = $realm AND memory.promoted_seq >= 0
MATCH (memory)-[edge:SIMILAR|CO_OCCURS]->(other:Memory)
WITH edge,
     CASE WHEN memory.rate < other.rate THEN memory.rate ELSE other.rate END * 3600 * 0.5
       * CASE WHEN edge.reinforcement_count >= 10 THEN 0.5 ELSE 1.0 END AS rate,
     $hours - edge.last_reinforced_hours AS idle
WHERE edge.origin <> 'agent' AND idle > 0
  AND edge.weight * exp(-rate * idle) < $settings.edge_prune_threshold
CALL (edge) {
  MERGE (texts:Cursor {realm: $realm, id: 'texts'})
  SET texts.locked_at = $now
  DELETE edge
} IN TRANSACTIONS OF 2000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN 1 AS pruned

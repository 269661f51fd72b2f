// Removes automatic edges that have faded below a weight; what a person said stays.
//
// Parameters: $realm, $settings, $hours
// Returns: pruned
// Access: batch

CYPHER 25
MATCH (m:Memory)
  USING INDEX SEEK m:Memory(realm, promoted_seq)
  WHERE m.realm = $realm AND m.promoted_seq >= 0
MATCH (m)-[edge:SIMILAR|CO_OCCURS]->(other:Memory)
WITH edge, CASE WHEN m.rate < other.rate THEN m.rate ELSE other.rate END * 3600 * 0.5
       * CASE WHEN edge.reinforcement_count >= 10 THEN 0.5 ELSE 1.0 END AS rate,
     $hours - edge.last_reinforced_hours AS idle
WHERE edge.origin <> 'agent' AND idle > 0
  AND edge.weight * exp(-rate * idle) < $settings.edge_prune_threshold
CALL (edge) {
  DELETE edge
} IN TRANSACTIONS OF 2000 ROWS
RETURN 1 AS pruned

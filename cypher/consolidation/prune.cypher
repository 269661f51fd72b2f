// Removes automatic edges that have faded below a weight; what a person said stays.
//
// Each of its transactions takes the turn of the texts; it can't lock all memories by id, so it may
// be repeated.
//
// Parameters: $realm, $now, $settings, $hours
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
  MERGE (turn:Cursor {realm: $realm, id: 'texts'})
  SET turn.locked_at = $now
  DELETE edge
} IN TRANSACTIONS OF 2000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN 1 AS pruned

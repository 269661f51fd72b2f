// Counts memories that came up together in a session: their edges are used, others are staged.
//
// In the third session a staged pair is joined. Several times in one session is once.
// Takes the turn of the texts, then locks the memories by id.
//
// Parameters: $realm, $now, $settings, $session, $hours, $pairs
// Returns: reinforced (number of pairs with an edge already),
//   staged (number of pairs that wait for more sessions), joined (number of pairs that got an edge)
// Access: write

CYPHER 25
// The turn of the texts, and the memories in order of their ids.
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
CALL () {
  UNWIND $pairs AS pair
  UNWIND [pair.low, pair.high] AS id
  WITH DISTINCT id ORDER BY id
  MATCH (memory:Memory {realm: $realm, id: id})
  SET memory.locked_at = $now
  RETURN count(*) AS locked
}
// Edges of a pair, each used once a session: edges.
UNWIND $pairs AS pair
MATCH (low:Memory {realm: $realm, id: pair.low})
MATCH (high:Memory {realm: $realm, id: pair.high})
OPTIONAL MATCH (low)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(high)
WITH low, high, pair, collect(edge) AS edges
FOREACH (edge IN [each IN edges WHERE coalesce(each.last_session, '') <> $session] |
  SET edge.reinforcement_count = coalesce(edge.reinforcement_count, 0) + 1,
      edge.last_session = $session,
      edge.last_reinforced_hours = CASE WHEN edge.last_reinforced_hours > $hours
                                        THEN edge.last_reinforced_hours ELSE $hours END)
// Pairs without an edge, with their sessions: candidate.
FOREACH (_ IN CASE WHEN edges = [] THEN [1] ELSE [] END |
  MERGE (candidate:Candidate {realm: $realm, id: 'together:' + pair.edge_id})
  ON CREATE SET candidate.kind = 'co_occurs', candidate.low = pair.low, candidate.high = pair.high,
                candidate.sessions = [], candidate.caption = 'seen together'
  SET candidate.sessions = CASE WHEN $session IN candidate.sessions THEN candidate.sessions
                                ELSE candidate.sessions + $session END,
      candidate.count = size(candidate.sessions), candidate.seen_at = $now)
WITH low, high, pair, edges
OPTIONAL MATCH (candidate:Candidate {realm: $realm, id: 'together:' + pair.edge_id})
// An edge for a pair with enough sessions, which is staged no longer.
WITH low, high, pair, edges, candidate,
     coalesce(size(candidate.sessions), 0) >= $settings.co_occurs_sessions AS ripe
FOREACH (_ IN CASE WHEN ripe AND edges = [] THEN [1] ELSE [] END |
  MERGE (low)-[edge:CO_OCCURS {realm: $realm, edge_id: pair.edge_id}]->(high)
  ON CREATE SET edge.weight = $settings.co_occurs_weight, edge.origin = 'together',
                edge.created_at = $now, edge.reinforcement_count = 0,
                edge.last_session = $session, edge.last_reinforced_hours = $hours)
FOREACH (_ IN CASE WHEN candidate IS NOT NULL AND (ripe OR edges <> []) THEN [1] ELSE [] END |
  DETACH DELETE candidate)
RETURN sum(CASE WHEN edges <> [] THEN 1 ELSE 0 END) AS reinforced,
       sum(CASE WHEN edges = [] AND NOT ripe THEN 1 ELSE 0 END) AS staged,
       sum(CASE WHEN edges = [] AND ripe THEN 1 ELSE 0 END) AS joined

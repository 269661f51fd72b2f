// Memories came up together in a session: their edges count it, pairs without one are noted.
//
// In the third session a noted pair is joined. Several times in one session is once.
// Takes the turn of the texts, then locks the memories by id.
//
// Parameters: $realm, $now, $settings, $session, $hours, $pairs
// Returns: reinforced, noted, joined
// Access: write

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
CALL () {
  UNWIND $pairs AS pair
  UNWIND [pair.low, pair.high] AS id
  WITH DISTINCT id ORDER BY id
  MATCH (m:Memory {realm: $realm, id: id})
  SET m.locked_at = $now
  RETURN count(*) AS locked
}
UNWIND $pairs AS pair
MATCH (a:Memory {realm: $realm, id: pair.low})
MATCH (b:Memory {realm: $realm, id: pair.high})
OPTIONAL MATCH (a)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(b)
WITH a, b, pair, collect(edge) AS edges
FOREACH (edge IN [e IN edges WHERE coalesce(e.last_session, '') <> $session] |
  SET edge.reinforcement_count = coalesce(edge.reinforcement_count, 0) + 1,
      edge.last_session = $session,
      edge.last_reinforced_hours = CASE WHEN edge.last_reinforced_hours > $hours
                                        THEN edge.last_reinforced_hours ELSE $hours END)
FOREACH (new IN CASE WHEN edges = [] THEN [1] ELSE [] END |
  MERGE (note:Candidate {realm: $realm, id: 'together:' + pair.edge_id})
  ON CREATE SET note.kind = 'co_occurs', note.low = pair.low, note.high = pair.high,
                note.sessions = [], note.caption = 'seen together'
  SET note.sessions = CASE WHEN $session IN note.sessions THEN note.sessions
                           ELSE note.sessions + $session END,
      note.count = size(note.sessions), note.seen_at = $now)
WITH a, b, pair, edges
OPTIONAL MATCH (note:Candidate {realm: $realm, id: 'together:' + pair.edge_id})
WITH a, b, pair, edges, note, coalesce(size(note.sessions), 0) >= $settings.co_occurs_sessions AS ripe
FOREACH (done IN CASE WHEN ripe AND edges = [] THEN [note] ELSE [] END |
  MERGE (a)-[edge:CO_OCCURS {realm: $realm, edge_id: pair.edge_id}]->(b)
  ON CREATE SET edge.weight = $settings.co_occurs_weight, edge.origin = 'together',
                edge.created_at = $now, edge.reinforcement_count = 0, edge.last_session = $session,
                edge.last_reinforced_hours = $hours)
FOREACH (done IN CASE WHEN note IS NOT NULL AND (ripe OR edges <> []) THEN [note] ELSE [] END |
  DETACH DELETE done)
RETURN sum(CASE WHEN edges <> [] THEN 1 ELSE 0 END) AS reinforced,
       sum(CASE WHEN edges = [] AND NOT ripe THEN 1 ELSE 0 END) AS noted,
       sum(CASE WHEN edges = [] AND ripe THEN 1 ELSE 0 END) AS joined

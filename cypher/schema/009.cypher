// Renames properties whose names explained nothing, wherever an older version has written them.
//
// The same again changes nothing, so a migration that was killed goes on where it was. The first
// SET takes the lock of a node or relationship before its old value is read: of two processes that
// migrate, the second one finds nothing left to rename.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Scans: every node and relationship with renamed properties, once
// Realms: all

CYPHER 25

// stars: properties of stars.
MATCH (node:Star)
WHERE node.confronted IS NOT NULL OR node.event_ref IS NOT NULL OR node.hist IS NOT NULL
   OR node.hist_end_day IS NOT NULL OR node.own_delta IS NOT NULL
   OR node.own_unclamped IS NOT NULL OR node.rev IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.confrontation_counts = coalesce(node.confronted, node.confrontation_counts),
      node.change_since_event = coalesce(node.event_ref, node.change_since_event),
      node.daily_closes = coalesce(node.hist, node.daily_closes),
      node.closed_day = coalesce(node.hist_end_day, node.closed_day),
      node.own_change = coalesce(node.own_delta, node.own_change),
      node.own_change_unclamped = coalesce(node.own_unclamped, node.own_change_unclamped),
      node.revision = coalesce(node.rev, node.revision)
  REMOVE node.confronted, node.event_ref, node.hist, node.hist_end_day, node.own_delta,
         node.own_unclamped, node.rev
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// memories: properties of memories.
MATCH (node:Memory)
WHERE node.noted IS NOT NULL OR node.noted_words IS NOT NULL OR node.rev IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.indexed = coalesce(node.noted, node.indexed),
      node.indexed_words = coalesce(node.noted_words, node.indexed_words),
      node.revision = coalesce(node.rev, node.revision)
  REMOVE node.noted, node.noted_words, node.rev
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// walked_nodes: properties of other nodes that explorations change.
// A label at a time: a match of any of them reads every node where few have these.
CALL () {
  MATCH (node:Actor) RETURN node
  UNION ALL
  MATCH (node:Moment) RETURN node
  UNION ALL
  MATCH (node:Narrative) RETURN node
  UNION ALL
  MATCH (node:Space) RETURN node
  UNION ALL
  MATCH (node:Thing) RETURN node
  UNION ALL
  MATCH (node:Intent) RETURN node
  UNION ALL
  MATCH (node:Consequence) RETURN node
}
WITH node
WHERE node.rev IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.revision = coalesce(node.rev, node.revision)
  REMOVE node.rev
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// sessions: properties of sessions.
MATCH (node:Session)
WHERE node.dropped IS NOT NULL OR node.given IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.dropped_intents = coalesce(node.dropped, node.dropped_intents),
      node.given_intents = coalesce(node.given, node.given_intents)
  REMOVE node.dropped, node.given
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// brightness_events: properties of brightness events.
MATCH (node:BrightnessEvent)
WHERE node.at_h IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.epoch_hours = coalesce(node.at_h, node.epoch_hours)
  REMOVE node.at_h
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// stored_connections: properties of connections that ended, and of stored days.
// A label at a time: a match of any of them reads every node where few have these.
CALL () {
  MATCH (node:ArchivedConnection) RETURN node
  UNION ALL
  MATCH (node:KeptConnection) RETURN node
}
WITH node
WHERE node.ev_days IS NOT NULL OR node.evidence_turns IS NOT NULL OR node.prev_types IS NOT NULL
   OR node.s_week IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.evidence_days = coalesce(node.ev_days, node.evidence_days),
      node.evidence_recount_day = coalesce(node.evidence_turns, node.evidence_recount_day),
      node.previous_types = coalesce(node.prev_types, node.previous_types),
      node.weekly_strengths = coalesce(node.s_week, node.weekly_strengths)
  REMOVE node.ev_days, node.evidence_turns, node.prev_types, node.s_week
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// runs: properties of runs.
MATCH (node:Run)
WHERE node.began IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.started_micros = coalesce(node.began, node.started_micros)
  REMOVE node.began
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// cursors: properties of cursors.
MATCH (node:Cursor)
WHERE node.at_work IS NOT NULL OR node.forgotten IS NOT NULL OR node.rebuilt_upto IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.forgotten_count = coalesce(node.forgotten, node.forgotten_count),
      node.rebuilt_last_seq = coalesce(node.rebuilt_upto, node.rebuilt_last_seq)
  REMOVE node.at_work, node.forgotten, node.rebuilt_upto
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// words: properties of names and words.
MATCH (node:Name|Term)
WHERE node.df IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.memory_count = coalesce(node.df, node.memory_count)
  REMOVE node.df
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// realms: properties of realms.
MATCH (node:Realm)
WHERE node.n IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.text_count = coalesce(node.n, node.text_count)
  REMOVE node.n
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// stored_stars: properties of stars of stored days.
MATCH (node:KeptStar)
WHERE node.confronted IS NOT NULL OR node.hist IS NOT NULL OR node.hist_end_day IS NOT NULL
   OR node.own_delta IS NOT NULL OR node.own_unclamped IS NOT NULL
CALL (node) {
  SET node.locked_at = node.locked_at
  SET node.confrontation_counts = coalesce(node.confronted, node.confrontation_counts),
      node.daily_closes = coalesce(node.hist, node.daily_closes),
      node.closed_day = coalesce(node.hist_end_day, node.closed_day),
      node.own_change = coalesce(node.own_delta, node.own_change),
      node.own_change_unclamped = coalesce(node.own_unclamped, node.own_change_unclamped)
  REMOVE node.confronted, node.hist, node.hist_end_day, node.own_delta, node.own_unclamped
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// connections: properties of connections of stars.
MATCH ()-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE link.ev_days IS NOT NULL OR link.evidence_turns IS NOT NULL OR link.prev_types IS NOT NULL
   OR link.s_week IS NOT NULL
CALL (link) {
  SET link.locked_at = link.locked_at
  SET link.evidence_days = coalesce(link.ev_days, link.evidence_days),
      link.evidence_recount_day = coalesce(link.evidence_turns, link.evidence_recount_day),
      link.previous_types = coalesce(link.prev_types, link.previous_types),
      link.weekly_strengths = coalesce(link.s_week, link.weekly_strengths)
  REMOVE link.ev_days, link.evidence_turns, link.prev_types, link.s_week
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// links: properties of links of explorations.
MATCH ()-[link:LINK]->()
WHERE link.rev IS NOT NULL
CALL (link) {
  SET link.locked_at = link.locked_at
  SET link.revision = coalesce(link.rev, link.revision)
  REMOVE link.rev
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

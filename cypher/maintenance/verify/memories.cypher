// Memories that break a rule which must always hold: strength, label, archive, evidence, edges.
//
// Parameters: $realm, $settings
// Returns: invariant, id, found, expected
// Access: read

CYPHER 25
// 1. Each memory by itself.
CALL () {
  MATCH (m:Memory) WHERE m.realm = $realm AND m.id IS NOT NULL
  WITH m {.id, .strength, .confidence, .rate, .anchor, .archive_at, .archived_at,
          state: coalesce(m.state, 'none'), archived: m:Archived,
          kind: coalesce(m.kind, 'none'), label: CASE WHEN m:Text THEN 'text' WHEN m:MarketLevel THEN 'market' END} AS p
  UNWIND [
    CASE WHEN coalesce(isNaN(p.strength) OR p.strength < 0.0 OR p.strength > 1.0, true)
      THEN ['strength is in range', toStringOrNull(p.strength), '0 to 1'] END,
    CASE WHEN coalesce(isNaN(p.confidence) OR p.confidence < 0.0 OR p.confidence > 1.0, true)
      THEN ['confidence is in range', toStringOrNull(p.confidence), '0 to 1'] END,
    CASE WHEN p.anchor IS NULL OR coalesce(p.rate < 0.0 OR isNaN(p.rate), true)
      THEN ['a memory fades from an anchor at a rate', toStringOrNull(p.rate), '0 or more'] END,
    CASE WHEN coalesce(p.kind <> p.label, true)
      THEN ['the label is the kind', p.label, p.kind] END,
    CASE WHEN NOT p.state IN ['pending', 'live', 'duplicate']
      THEN ['the state is known', p.state, 'pending, live or duplicate'] END,
    CASE WHEN p.archived <> (p.archived_at IS NOT NULL OR p.state = 'duplicate')
      THEN ['what is archived is labelled so', toString(p.archived), toString(NOT p.archived)] END,
    CASE WHEN (p.archive_at IS NULL) <> (p.archived OR p.state = 'pending')
      THEN ['what is not archived has a day when it will be', toStringOrNull(p.archive_at),
            CASE WHEN p.archive_at IS NULL THEN 'a time' ELSE 'none' END] END
  ] AS wrong
  WITH p, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, p.id AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
// 2. What is kept of memories, and what joins them.
  MATCH (e:Evidence) WHERE e.realm = $realm AND e.id IS NOT NULL AND e.memory_id IS NOT NULL
  WITH e WHERE NOT EXISTS { MATCH (:Memory {realm: $realm, id: e.memory_id}) }
  RETURN 'evidence belongs to a memory' AS invariant, e.id AS id, 'none' AS found, e.memory_id AS expected
UNION ALL
  MATCH (place:Cursor) WHERE place.realm = $realm AND place.id STARTS WITH 'place:text '
  RETURN 'a text has no place of its own' AS invariant, place.id AS id, 'a cursor' AS found,
         'none, after `asterism maintain prune`' AS expected
UNION ALL
  MATCH (note:Candidate) WHERE note.realm = $realm AND note.low IS NOT NULL
  UNWIND [note.low, note.high] AS id
  WITH note, id WHERE NOT EXISTS { MATCH (:Memory {realm: $realm, id: id}) }
  RETURN 'a noted pair is of memories' AS invariant, note.id AS id, 'none' AS found, id AS expected
UNION ALL
  MATCH (e:Evidence) WHERE e.realm = $realm AND e.id IS NOT NULL AND e.memory_id IS NOT NULL
    AND coalesce(isNaN(e.strength) OR e.strength < 0.0 OR e.strength > 1.0, false)
  RETURN 'strength in the log is in range' AS invariant, e.id AS id,
         toStringOrNull(e.strength) AS found, '0 to 1' AS expected
UNION ALL
  MATCH (e:Evidence) WHERE e.realm = $realm AND e.id IS NOT NULL AND e.memory_id IS NOT NULL
    AND e.event_id IS NOT NULL
  // Without content it is of an earlier version, whose ids told no sources apart.
  WITH e, CASE WHEN e.content IS NULL THEN 'memory:' + e.event_id
    ELSE 'memory:' + replace(replace(e.source, '%', '%25'), '|', '%7C') + '|' + e.event_id END AS right
  WHERE coalesce(e.id <> right, true)
  RETURN 'an event id belongs to a source' AS invariant, e.id AS id,
         toStringOrNull(e.source) AS found, right AS expected
UNION ALL
  MATCH (m:Memory) WHERE m.realm = $realm AND m.id IS NOT NULL
  MATCH (m)-[r:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]->(other)
  UNWIND [
    CASE WHEN coalesce(isNaN(r.weight) OR r.weight < 0.0 OR r.weight > 1.0, true)
      THEN ['the weight of an edge is in range', toStringOrNull(r.weight), '0 to 1'] END,
    CASE WHEN m = other THEN ['no memory is joined with itself', type(r), 'another memory'] END,
    CASE WHEN NOT other:Memory THEN ['an edge joins memories', labels(other)[0], 'Memory'] END
  ] AS wrong
  WITH m, other, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, m.id + ' ' + other.id AS id, wrong[1] AS found, wrong[2] AS expected
}
RETURN invariant, id, found, expected ORDER BY invariant, id LIMIT $settings.offenders

// Texts and edges by similarity that break a rule of consolidation which must always hold.
//
// Parameters: $realm, $settings, $ceiling
// Returns: invariant, id, found, expected
// Access: read

CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.realm = $realm AND m.id IS NOT NULL AND m.kind = 'text'
  WITH m, [x IN [CASE WHEN m.waiting THEN 'waiting' END, CASE WHEN m.promoted_seq IS NOT NULL THEN 'consolidated' END,
    CASE WHEN m.duplicate_of IS NOT NULL THEN 'duplicate' END, CASE WHEN m.set_aside IS NOT NULL THEN 'set aside' END]
    WHERE x IS NOT NULL] AS standing
  UNWIND [
    CASE WHEN size(standing) <> 1 THEN ['a text has one standing', reduce(all = '', x IN standing | all + x + ' '),
      'waiting, consolidated, duplicate or set aside'] END,
    CASE WHEN m.claimed_by IS NOT NULL AND NOT coalesce(m.waiting, false)
      THEN ['only what waits is claimed', m.claimed_by, 'none'] END,
    CASE WHEN m.promoted_seq IS NOT NULL AND (m.embedding IS NULL OR m.embedding_model IS NULL)
      THEN ['what is consolidated has its vector', 'none', 'a vector and its model'] END,
    CASE WHEN (m.duplicate_of IS NOT NULL) <> (m.state = 'duplicate') OR m.duplicate_of = m.id
      THEN ['a duplicate says of what', m.duplicate_of, m.state] END,
    CASE WHEN m.duplicate_of IS NOT NULL AND m.embedding IS NULL
        AND EXISTS { MATCH (of:Memory {realm: $realm, id: m.duplicate_of}) WHERE of.embedding IS NOT NULL }
      THEN ['a duplicate has a vector if its original has one', 'none', 'a vector, after a rebuild'] END
  ] AS wrong
  WITH m, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, m.id AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
  MATCH (m:Memory) WHERE m.realm = $realm AND m.promoted_seq IS NOT NULL
  WITH m.promoted_seq AS place, collect(m.id) AS ids
  OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
  WITH place, ids, cursor WHERE size(ids) > 1 OR coalesce(place > cursor.promoted_seq, true)
  RETURN 'places are given once, up to the cursor' AS invariant, ids[0] AS id, toString(place) AS found,
         'at most ' + coalesce(toString(cursor.promoted_seq), 'none') + ', one memory' AS expected
UNION ALL
  MATCH (low:Memory) WHERE low.realm = $realm AND low.id IS NOT NULL
  MATCH (low)-[edge:SIMILAR]->(high:Memory)
  UNWIND [
    CASE WHEN low.promoted_seq IS NULL OR high.promoted_seq IS NULL
      THEN ['both ends of a similarity are consolidated', low.id + ' ' + high.id, 'two places'] END,
    CASE WHEN low.id >= high.id THEN ['a similarity starts at the lesser id', low.id, high.id] END,
    CASE WHEN edge.edge_id IS NULL OR edge.realm IS NULL OR edge.realm <> $realm
      THEN ['a similarity has its id and its realm', edge.realm, $realm] END,
    CASE WHEN COUNT { (low)-[:SIMILAR]-(high) } > 1 THEN ['one similarity joins a pair', 'several', '1'] END
  ] AS wrong
  WITH low, high, edge, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, coalesce(edge.edge_id, low.id + ' ' + high.id) AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
  MATCH (m:Memory) WHERE m.realm = $realm AND m.promoted_seq IS NOT NULL AND $ceiling IS NOT NULL
  WITH m, COUNT { (m)-[:SIMILAR]-() } AS degree WHERE degree > $ceiling
  RETURN 'the ceiling of similarities holds' AS invariant, m.id AS id, toString(degree) AS found, 'at most ' + $ceiling + ', after a rebuild' AS expected
}
RETURN invariant, id, found, expected ORDER BY invariant, id LIMIT $settings.offenders

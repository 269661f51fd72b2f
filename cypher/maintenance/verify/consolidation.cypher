// Reads texts and edges by similarity that break a rule of consolidation.
//
// Parameters: $realm, $settings, $ceiling
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read

CYPHER 25
// 1. each text by itself: its status, its vector, its original
CALL () {
  MATCH (text:Memory) WHERE text.realm = $realm AND text.id IS NOT NULL AND text.kind = 'text'
  WITH text, [status IN [
    CASE WHEN text.waiting THEN 'waiting' END,
    CASE WHEN text.promoted_seq IS NOT NULL THEN 'consolidated' END,
    CASE WHEN text.duplicate_of IS NOT NULL THEN 'duplicate' END,
    CASE WHEN text.set_aside IS NOT NULL THEN 'set aside' END] WHERE status IS NOT NULL] AS statuses
  UNWIND [
    CASE WHEN size(statuses) <> 1 THEN {
      rule: 'a text has one standing', value: reduce(all = '', name IN statuses | all + name + ' '),
      expected: 'waiting, consolidated, duplicate or set aside'} END,
    CASE WHEN text.claimed_by IS NOT NULL AND NOT coalesce(text.waiting, false) THEN {
      rule: 'only what waits is claimed', value: text.claimed_by, expected: 'none'} END,
    CASE WHEN text.promoted_seq IS NOT NULL
        AND (text.embedding IS NULL OR text.embedding_model IS NULL) THEN {
      rule: 'what is consolidated has its vector', value: 'none',
      expected: 'a vector and its model'} END,
    CASE WHEN (text.duplicate_of IS NOT NULL) <> (text.state = 'duplicate')
        OR text.duplicate_of = text.id THEN {
      rule: 'a duplicate says of what', value: text.duplicate_of, expected: text.state} END,
    CASE WHEN text.duplicate_of IS NOT NULL AND text.embedding IS NULL AND EXISTS {
        MATCH (original:Memory {realm: $realm, id: text.duplicate_of})
        WHERE original.embedding IS NOT NULL } THEN {
      rule: 'a duplicate has a vector if its original has one', value: 'none',
      expected: 'a vector, after a rebuild'} END
  ] AS offence
  WITH text, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, text.id AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
// 2. sequence numbers of consolidated texts
  MATCH (text:Memory) WHERE text.realm = $realm AND text.promoted_seq IS NOT NULL
  WITH text.promoted_seq AS sequence, collect(text.id) AS ids
  OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
  WITH sequence, ids, cursor
  WHERE size(ids) > 1 OR coalesce(sequence > cursor.promoted_seq, true)
  RETURN 'places are given once, up to the cursor' AS rule, ids[0] AS id,
         toString(sequence) AS value,
         'at most ' + coalesce(toString(cursor.promoted_seq), 'none') + ', one memory' AS expected
UNION ALL
// 3. edges by similarity: their ends, their identity, their number
  MATCH (low:Memory)
    USING INDEX SEEK low:Memory(realm, id)
  WHERE low.realm = $realm AND low.id IS NOT NULL
  MATCH (low)-[edge:SIMILAR]->(high:Memory)
  WITH low, high, edge, low.id + ' ' + high.id AS ends
  UNWIND [
    CASE WHEN low.promoted_seq IS NULL OR high.promoted_seq IS NULL THEN {
      rule: 'both ends of a similarity are consolidated', value: ends, expected: 'two places'} END,
    CASE WHEN low.id >= high.id THEN {
      rule: 'a similarity starts at the lesser id', value: low.id, expected: high.id} END,
    CASE WHEN edge.edge_id IS NULL OR edge.realm IS NULL OR edge.realm <> $realm THEN {
      rule: 'a similarity has its id and its realm', value: edge.realm, expected: $realm} END,
    CASE WHEN COUNT { (low)-[:SIMILAR]-(high) } > 1 THEN {
      rule: 'one similarity joins a pair', value: 'several', expected: '1'} END
  ] AS offence
  WITH ends, edge, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, coalesce(edge.edge_id, ends) AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
  MATCH (memory:Memory)
  WHERE memory.realm = $realm AND memory.promoted_seq IS NOT NULL AND $ceiling IS NOT NULL
  WITH memory, COUNT { (memory)-[:SIMILAR]-() } AS degree WHERE degree > $ceiling
  RETURN 'the ceiling of similarities holds' AS rule, memory.id AS id,
         toString(degree) AS value, 'at most ' + $ceiling + ', after a rebuild' AS expected
}
RETURN rule, id, value, expected ORDER BY rule, id LIMIT $settings.offenders

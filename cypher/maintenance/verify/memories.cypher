// Reads memories that break a rule: their numbers, label, archive, evidence, edges.
//
// Parameters: $realm, $settings
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read

CYPHER 25
// 1. each memory by itself
CALL () {
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.id IS NOT NULL
  WITH memory {.id, .strength, .confidence, .rate, .anchor, .archive_at, .archived_at,
       state: coalesce(memory.state, 'none'), archived: memory:Archived,
       kind: coalesce(memory.kind, 'none'),
       label: CASE WHEN memory:Text THEN 'text' WHEN memory:MarketLevel THEN 'market' END} AS memory
  UNWIND [
    CASE WHEN coalesce(isNaN(memory.strength)
        OR memory.strength < 0.0 OR memory.strength > 1.0, true) THEN {
      rule: 'strength is in range', value: toStringOrNull(memory.strength), expected: '0 to 1'} END,
    CASE WHEN coalesce(isNaN(memory.confidence)
        OR memory.confidence < 0.0 OR memory.confidence > 1.0, true) THEN {
      rule: 'confidence is in range', value: toStringOrNull(memory.confidence),
      expected: '0 to 1'} END,
    CASE WHEN memory.anchor IS NULL
        OR coalesce(memory.rate < 0.0 OR isNaN(memory.rate), true) THEN {
      rule: 'a memory fades from an anchor at a rate', value: toStringOrNull(memory.rate),
      expected: '0 or more'} END,
    CASE WHEN coalesce(memory.kind <> memory.label, true) THEN {
      rule: 'the label is the kind', value: memory.label, expected: memory.kind} END,
    CASE WHEN NOT memory.state IN ['pending', 'live', 'duplicate'] THEN {
      rule: 'the state is known', value: memory.state, expected: 'pending, live or duplicate'} END,
    CASE WHEN memory.archived
        <> (memory.archived_at IS NOT NULL OR memory.state = 'duplicate') THEN {
      rule: 'what is archived is labelled so', value: toString(memory.archived),
      expected: toString(NOT memory.archived)} END,
    CASE WHEN (memory.archive_at IS NULL)
        <> (memory.archived OR memory.state = 'pending') THEN {
      rule: 'what is not archived has a day when it will be',
      value: toStringOrNull(memory.archive_at),
      expected: CASE WHEN memory.archive_at IS NULL THEN 'a time' ELSE 'none' END} END
  ] AS offence
  WITH memory, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, memory.id AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
// 2. evidence and bookkeeping of memories
  MATCH (evidence:Evidence)
  WHERE evidence.realm = $realm AND evidence.id IS NOT NULL AND evidence.memory_id IS NOT NULL
  WITH evidence WHERE NOT EXISTS { MATCH (:Memory {realm: $realm, id: evidence.memory_id}) }
  RETURN 'evidence belongs to a memory' AS rule, evidence.id AS id, 'none' AS value,
         evidence.memory_id AS expected
UNION ALL
  MATCH (place:Cursor) WHERE place.realm = $realm AND place.id STARTS WITH 'place:text '
  RETURN 'a text has no place of its own' AS rule, place.id AS id, 'a cursor' AS value,
         'none, after `asterism maintain prune`' AS expected
UNION ALL
  MATCH (pair:Candidate) WHERE pair.realm = $realm AND pair.low IS NOT NULL
  UNWIND [pair.low, pair.high] AS memory_id
  WITH pair, memory_id WHERE NOT EXISTS { MATCH (:Memory {realm: $realm, id: memory_id}) }
  RETURN 'a noted pair is of memories' AS rule, pair.id AS id, 'none' AS value,
         memory_id AS expected
UNION ALL
  MATCH (evidence:Evidence)
  WHERE evidence.realm = $realm AND evidence.id IS NOT NULL AND evidence.memory_id IS NOT NULL
    AND coalesce(isNaN(evidence.strength)
      OR evidence.strength < 0.0 OR evidence.strength > 1.0, false)
  RETURN 'strength in the log is in range' AS rule, evidence.id AS id,
         toStringOrNull(evidence.strength) AS value, '0 to 1' AS expected
UNION ALL
  MATCH (evidence:Evidence)
  WHERE evidence.realm = $realm AND evidence.id IS NOT NULL AND evidence.memory_id IS NOT NULL
    AND evidence.event_id IS NOT NULL
  // Evidence without content is of an earlier version, whose ids told no sources apart.
  WITH evidence, CASE WHEN evidence.content IS NULL THEN 'memory:' + evidence.event_id
    ELSE 'memory:' + replace(replace(evidence.source, '%', '%25'), '|', '%7C')
      + '|' + evidence.event_id END AS right_id
  WHERE coalesce(evidence.id <> right_id, true)
  RETURN 'an event id belongs to a source' AS rule, evidence.id AS id,
         toStringOrNull(evidence.source) AS value, right_id AS expected
UNION ALL
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.id IS NOT NULL
  WITH memory, [(memory)<-[:SUPERSEDES]-(successor:Memory) | successor.id] AS successors
  WHERE (memory.superseded_by IS NOT NULL OR successors <> [])
    AND coalesce(successors <> [memory.superseded_by], true)
  RETURN 'what superseded a memory is joined with it' AS rule, memory.id AS id,
         memory.superseded_by AS value, toStringOrNull(successors[0]) AS expected
UNION ALL
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.id IS NOT NULL
    AND memory.superseded_by IS NOT NULL AND EXISTS { (memory)-[:SUPERSEDES]->+(memory) }
  RETURN 'no memory supersedes itself' AS rule, memory.id AS id, memory.superseded_by AS value,
         'a chain without a circle' AS expected
UNION ALL
// 3. edges between memories
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.id IS NOT NULL
  MATCH (memory)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]->(other)
  UNWIND [
    CASE WHEN coalesce(isNaN(edge.weight) OR edge.weight < 0.0 OR edge.weight > 1.0, true) THEN {
      rule: 'the weight of an edge is in range', value: toStringOrNull(edge.weight),
      expected: '0 to 1'} END,
    CASE WHEN memory = other THEN {
      rule: 'no memory is joined with itself', value: type(edge), expected: 'another memory'} END,
    CASE WHEN NOT other:Memory THEN {
      rule: 'an edge joins memories', value: labels(other)[0], expected: 'Memory'} END
  ] AS offence
  WITH memory, other, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, memory.id + ' ' + other.id AS id, offence.value AS value,
         offence.expected AS expected
}
RETURN rule, id, value, expected ORDER BY rule, id LIMIT $settings.offenders

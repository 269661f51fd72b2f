// Reads walkable nodes, links and runs that break a rule which must always hold.
//
// Parameters: $realm, $settings
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read
// Scans: where a server holds few links, the planner starts from all of them

CYPHER 25
// 1. numbers of nodes
CALL () {
  MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE node.realm = $realm AND node.id IS NOT NULL
  UNWIND [
    CASE WHEN node.weight IS NOT NULL
        AND coalesce(isNaN(node.weight) OR node.weight < 0.0, true) THEN {
      rule: 'weight is not negative', value: toStringOrNull(node.weight),
      expected: '0 or more'} END,
    CASE WHEN node.energy IS NOT NULL
        AND coalesce(isNaN(node.energy) OR node.energy < 0.0, true) THEN {
      rule: 'energy is not negative', value: toStringOrNull(node.energy),
      expected: '0 or more'} END,
    CASE WHEN node.permanence IS NOT NULL AND coalesce(isNaN(node.permanence)
        OR node.permanence < 0.0 OR node.permanence > 1.0, true) THEN {
      rule: 'permanence is in range', value: toStringOrNull(node.permanence),
      expected: '0 to 1'} END
  ] AS offence
  WITH node, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, node.id AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
// 2. identity and numbers of links
  MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE node.realm = $realm AND node.id IS NOT NULL
  MATCH (node)-[link:LINK]->(other)
  WITH link, node.id + ' ' + other.id AS ends
  UNWIND [
    CASE WHEN link.id IS NULL OR link.realm IS NULL OR link.realm <> $realm THEN {
      rule: 'a link has its id and its realm', value: link.realm, expected: $realm} END,
    CASE WHEN coalesce(isNaN(link.weight) OR link.weight < 0.0, true) THEN {
      rule: 'the weight of a link is not negative', value: toStringOrNull(link.weight),
      expected: '0 or more'} END,
    CASE WHEN coalesce(isNaN(link.energy) OR link.energy < 0.0, true) THEN {
      rule: 'the energy of a link is not negative', value: toStringOrNull(link.energy),
      expected: '0 or more'} END,
    CASE WHEN link.permanence IS NOT NULL AND coalesce(isNaN(link.permanence)
        OR link.permanence < 0.0 OR link.permanence > 1.0, true) THEN {
      rule: 'the permanence of a link is in range', value: toStringOrNull(link.permanence),
      expected: '0 to 1'} END,
    CASE WHEN coalesce(isNaN(link.hierarchy)
        OR link.hierarchy < -1.0 OR link.hierarchy > 1.0, true) THEN {
      rule: 'the hierarchy of a link is in range', value: toStringOrNull(link.hierarchy),
      expected: '-1 to 1'} END,
    CASE WHEN coalesce(size(link.polarity) <> 2
        OR any(pole IN link.polarity WHERE NOT 0.0 <= pole <= 1.0), true) THEN {
      rule: 'the polarity of a link is in range',
      value: reduce(all = '', pole IN link.polarity | all + pole + ' '),
      expected: 'two of 0 to 1'} END
  ] AS offence
  WITH link, ends, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, coalesce(link.id, ends) AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
// 3. properties that each kind of run has
  MATCH (run:Run) WHERE run.realm = $realm AND run.id IS NOT NULL
  WITH run WHERE CASE run.kind
    WHEN 'exploration' THEN run.at IS NULL OR run.outcome IS NULL OR run.changes IS NULL
    WHEN 'consolidation' THEN run.finished_at IS NULL
    WHEN 'consolidation-rebuild' THEN run.finished_at IS NULL
    WHEN 'maintenance' THEN
      NOT coalesce(run.status IN ['running', 'done', 'failed', 'broken off'], false)
      OR (run.finished_at IS NOT NULL) <> (run.status IN ['done', 'failed'])
    ELSE true END
  RETURN 'a run is of a known kind, and whole' AS rule, run.id AS id,
         coalesce(run.kind, 'no kind') + ' ' + coalesce(run.status, run.outcome, '') AS value,
         'what its kind tells' AS expected
}
RETURN rule, id, value, expected ORDER BY rule, id LIMIT $settings.offenders

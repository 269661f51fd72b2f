// Nodes to walk on, links and runs that break a rule which must always hold.
//
// Parameters: $realm, $settings
// Returns: invariant, id, found, expected
// Access: read
// Scans: where a server holds few links, the planner starts from all of them

CYPHER 25
CALL () {
  MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE n.realm = $realm AND n.id IS NOT NULL
  UNWIND [
    CASE WHEN n.weight IS NOT NULL AND coalesce(isNaN(n.weight) OR n.weight < 0.0, true)
      THEN ['weight is not negative', toStringOrNull(n.weight), '0 or more'] END,
    CASE WHEN n.energy IS NOT NULL AND coalesce(isNaN(n.energy) OR n.energy < 0.0, true)
      THEN ['energy is not negative', toStringOrNull(n.energy), '0 or more'] END,
    CASE WHEN n.permanence IS NOT NULL AND coalesce(isNaN(n.permanence) OR n.permanence < 0.0 OR n.permanence > 1.0, true)
      THEN ['permanence is in range', toStringOrNull(n.permanence), '0 to 1'] END
  ] AS wrong
  WITH n, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, n.id AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
  MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE n.realm = $realm AND n.id IS NOT NULL
  MATCH (n)-[r:LINK]->(far)
  WITH r, far, n.id + ' ' + far.id AS ends
  UNWIND [
    CASE WHEN r.id IS NULL OR r.realm IS NULL OR r.realm <> $realm
      THEN ['a link has its id and its realm', r.realm, $realm] END,
    CASE WHEN coalesce(isNaN(r.weight) OR r.weight < 0.0, true)
      THEN ['the weight of a link is not negative', toStringOrNull(r.weight), '0 or more'] END,
    CASE WHEN coalesce(isNaN(r.energy) OR r.energy < 0.0, true)
      THEN ['the energy of a link is not negative', toStringOrNull(r.energy), '0 or more'] END,
    CASE WHEN r.permanence IS NOT NULL AND coalesce(isNaN(r.permanence) OR r.permanence < 0.0 OR r.permanence > 1.0, true)
      THEN ['the permanence of a link is in range', toStringOrNull(r.permanence), '0 to 1'] END,
    CASE WHEN coalesce(isNaN(r.hierarchy) OR r.hierarchy < -1.0 OR r.hierarchy > 1.0, true)
      THEN ['the hierarchy of a link is in range', toStringOrNull(r.hierarchy), '-1 to 1'] END,
    CASE WHEN coalesce(size(r.polarity) <> 2 OR any(p IN r.polarity WHERE NOT 0.0 <= p <= 1.0), true)
      THEN ['the polarity of a link is in range', reduce(t = '', p IN r.polarity | t + p + ' '), 'two of 0 to 1'] END
  ] AS wrong
  WITH r, ends, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, coalesce(r.id, ends) AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
  MATCH (run:Run) WHERE run.realm = $realm AND run.id IS NOT NULL
  WITH run WHERE CASE run.kind
    WHEN 'exploration' THEN run.at IS NULL OR run.outcome IS NULL OR run.changes IS NULL
    WHEN 'consolidation' THEN run.finished_at IS NULL
    WHEN 'consolidation-rebuild' THEN run.finished_at IS NULL
    WHEN 'maintenance' THEN NOT coalesce(run.status IN ['running', 'done', 'failed', 'broken off'], false)
      OR (run.finished_at IS NOT NULL) <> (run.status IN ['done', 'failed'])
    ELSE true END
  RETURN 'a run is of a known kind, and whole' AS invariant, run.id AS id,
         coalesce(run.kind, 'no kind') + ' ' + coalesce(run.status, run.outcome, '') AS found, 'what its kind tells' AS expected
}
RETURN invariant, id, found, expected ORDER BY invariant, id LIMIT $settings.offenders

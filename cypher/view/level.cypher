// Reads the strength of a price level at every piece of evidence, and at moments in between.
//
// Its strength at a moment is that of the newest evidence up to then, faded since:
// strength * (1 - rate * seconds), at least 0.
//
// Parameters: $realm, $settings, $id, $moment
// Returns: points (moment and strength of each), evidence (moment, strength and kind of each)
// Access: read

CYPHER 25
// log: the evidence of the level, and the first and last moment of the chart
MATCH (level:Memory&MarketLevel {realm: $realm, id: $id})
CALL (level) {
  MATCH (evidence:Evidence {realm: $realm, memory_id: level.id})
  WHERE evidence.moment <= $moment AND evidence.strength IS NOT NULL
  WITH evidence ORDER BY evidence.moment, evidence.number
  RETURN collect(evidence {.moment, .strength, .kind}) AS log
}
WITH level, log, log[0].moment AS first,
     coll.min([$moment, coalesce(level.archive_at, level.archived_at, $moment)]) AS last
// points: before and after each piece of evidence, and evenly in between
CALL (level, log, first, last) {
  UNWIND [entry IN log | entry.moment] + [entry IN log | entry.moment - 1]
    + [step IN range(0, $settings.chart_points) |
       first + (last - first) * step / $settings.chart_points] AS moment
  WITH DISTINCT level, moment WHERE moment >= first AND moment <= last
  CALL (level, moment) {
    MATCH (evidence:Evidence {realm: $realm, memory_id: level.id})
    WHERE evidence.moment <= moment AND evidence.strength IS NOT NULL
    RETURN evidence.strength AS strength, evidence.moment AS anchor
    ORDER BY anchor DESC, evidence.number DESC LIMIT 1
  }
  WITH moment, strength, level.rate * (moment - anchor) / 1e6 AS lost
  WITH moment, strength * CASE WHEN lost < 1 THEN 1 - lost ELSE 0.0 END AS strength
  ORDER BY moment
  RETURN collect({moment: moment, strength: strength}) AS points
}
RETURN points, log AS evidence

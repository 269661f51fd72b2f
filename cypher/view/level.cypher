// How strong a price level was: at every piece of evidence, and at moments in between.
//
// Its strength at a moment is that of the newest evidence up to then, with the decay since.
//
// Parameters: $realm, $settings, $id, $moment
// Returns: caption, points, evidence
// Access: read

CYPHER 25
MATCH (m:Memory&MarketLevel {realm: $realm, id: $id})
CALL (m) {
  MATCH (e:Evidence {realm: $realm, memory_id: m.id})
  WHERE e.moment <= $moment AND e.strength IS NOT NULL
  WITH e ORDER BY e.moment, e.number
  RETURN collect(e {.moment, .strength, .kind, .effect}) AS log
}
WITH m, log, log[0].moment AS first, coll.min([$moment, coalesce(m.archive_at, m.archived_at, $moment)]) AS last
CALL (m, log, first, last) {
  UNWIND [e IN log | e.moment] + [e IN log | e.moment - 1]
    + [step IN range(0, $settings.chart_points) | first + (last - first) * step / $settings.chart_points] AS moment
  WITH DISTINCT m, moment WHERE moment >= first AND moment <= last
  CALL (m, moment) {
    MATCH (e:Evidence {realm: $realm, memory_id: m.id})
    WHERE e.moment <= moment AND e.strength IS NOT NULL
    RETURN e.strength AS strength, e.moment AS anchor ORDER BY anchor DESC, e.number DESC LIMIT 1
  }
  WITH moment, strength * CASE WHEN m.rate * (moment - anchor) / 1e6 < 1
    THEN 1 - m.rate * (moment - anchor) / 1e6 ELSE 0.0 END AS strength
  ORDER BY moment
  RETURN collect({moment: moment, strength: strength}) AS points
}
RETURN m.caption AS caption, points, log AS evidence

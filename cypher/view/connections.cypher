// How strong a star's strongest connections were: at every change, every week's close, and now.
//
// Parameters: $realm, $id, $limit, $now
// Returns: id, name, type, points
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
WITH star, r, other ORDER BY r.strength DESC, r.pair_key LIMIT $limit
LET closed = star.hist_end_day - star.hist_end_day % 7, weeks = size(r.s_week)
CALL (star, r, closed, weeks) {
  UNWIND range(0, weeks - 1) AS week
  LET day = closed - 7 * (weeks - 1 - week)
  RETURN datetime({epochSeconds: (day + 1) * 86400}) AS at, r.s_week[week] AS strength
UNION
  MATCH (change:ConnectionChange)
  WHERE change.realm = $realm AND change.pair_key = r.pair_key AND change.day IS NOT NULL
    AND change.at >= r.created_at
  RETURN change.at AS at, change.strength AS strength
UNION
  RETURN $now AS at, r.strength AS strength
}
WITH r, other, at, strength ORDER BY at
WITH r, other, collect({at: at, strength: strength}) AS points
ORDER BY r.strength DESC, r.pair_key
RETURN other.id AS id, other.name AS name, type(r) AS type, points

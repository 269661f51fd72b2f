// What fades next if nothing happens: days until a connection sleeps, or falls into a lower band.
//
// The bands are asked of the decay itself, day by day (S-16), for at most a year.
//
// Parameters: $day, $limit, $settings, $realm
// Returns: a, b, type, state, strength, sleeps_in, falls_in
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(b:Star)
WHERE r.state <> 'DORMANT'
WITH a, b, r, $day - coll.max([r.engaged_day, a.engaged_day, b.engaged_day]) AS idle
WITH a, b, r, idle, $settings.dormancy[r.engaged_state] - idle AS sleeps_in
ORDER BY sleeps_in, r.strength DESC LIMIT $limit
LET f = $settings.strength_floor, rate = 1.0 - 0.5 ^ (1.0 / $settings.half_life[type(r)]),
    edge = coalesce($settings.band_strength[r.state], 0.0)
LET path = reduce(p = [r.strength, -1.0], n IN range(1, 365) |
      CASE WHEN p[1] >= 0.0 OR p[0] <= f THEN p ELSE
        [p[0] - p[0] * rate * (p[0] - f) / (1.0 - f)
           * CASE WHEN idle + n < $settings.recent_days THEN $settings.recent_factor ELSE 1.0 END,
         CASE WHEN p[0] - p[0] * rate * (p[0] - f) / (1.0 - f)
           * CASE WHEN idle + n < $settings.recent_days THEN $settings.recent_factor ELSE 1.0 END
           < edge THEN toFloat(n) ELSE -1.0 END] END)
RETURN a.id AS a, b.id AS b, type(r) AS type, r.state AS state, r.strength AS strength,
       coll.max([0, sleeps_in]) AS sleeps_in,
       CASE WHEN path[1] >= 0.0 THEN toInteger(path[1]) END AS falls_in
ORDER BY sleeps_in, strength DESC, a, b

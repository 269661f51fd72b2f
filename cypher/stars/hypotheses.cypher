// Proposes pairs of stars that are not connected, best first, with what speaks for each.
//
// Three signals, each from 0 to 1: how strongly their brightness moved together or apart (|r| of S-18,
// among the stars engaged last), co-mentions that wait for another, and memories or intents that both
// are linked to. They are joined as independent hints: 1 - (1 - a)(1 - b)(1 - c). In the first days
// of a constellation (S-34) the threshold is divided, and the number of proposals multiplied, by
// hypothesis_rate. What the user has denied lately is not proposed.
//
// Parameters: $day, $limit, $settings, $realm
// Returns: a, b, a_name, b_name, score, correlation, mentions, shared, excavating
// Access: read

CYPHER 25
// 1. What speaks for pairs: brightness that moves alike, co-mentions, shared links.
CALL () {
  // Brightness, day by day, of the stars engaged last: null where a day is not known.
  MATCH (star:Star)
  WHERE star.realm = $realm AND star.bucket >= 0 AND NOT star.state IN ['DORMANT', 'NASCENT']
  WITH star ORDER BY star.engaged_day DESC, star.id LIMIT $settings.hypothesis_stars
  WITH star, range($day - $settings.correlation_days, $day - 1) AS days,
       size(star.hist) - 1 - star.hist_end_day AS offset
  WITH collect({
    star: star,
    values: [day IN days | CASE WHEN day + offset >= 0 THEN star.hist[day + offset] END],
    engaged: [day IN days | day IN star.engaged_days]
  }) AS stars
  UNWIND stars AS first
  UNWIND stars AS second
  WITH first, second WHERE first.star.id < second.star.id
  // Pearson's r over the days on which either was engaged.
  LET points = [i IN range(0, size(first.values) - 1)
                WHERE (first.engaged[i] OR second.engaged[i])
                  AND first.values[i] IS NOT NULL AND second.values[i] IS NOT NULL | i]
  WITH first, second, points WHERE size(points) >= $settings.correlation_points
  LET x = [i IN points | first.values[i]], y = [i IN points | second.values[i]], n = size(points)
  LET mean_x = reduce(t = 0.0, v IN x | t + v) / n, mean_y = reduce(t = 0.0, v IN y | t + v) / n
  LET spread_x = reduce(t = 0.0, v IN x | t + (v - mean_x) ^ 2),
      spread_y = reduce(t = 0.0, v IN y | t + (v - mean_y) ^ 2),
      together = reduce(t = 0.0, i IN range(0, n - 1) | t + (x[i] - mean_x) * (y[i] - mean_y))
  WITH first, second, together, spread_x, spread_y
  WHERE spread_x > 1e-12 AND spread_y > 1e-12
  RETURN first.star AS a, second.star AS b, together / sqrt(spread_x * spread_y) AS correlation,
         0 AS mentions, 0 AS shared
UNION ALL
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
  MATCH (a:Star {realm: $realm, id: candidate.lower})
  MATCH (b:Star {realm: $realm, id: candidate.upper})
  RETURN a, b, null AS correlation, candidate.count AS mentions, 0 AS shared
UNION ALL
  MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
  MATCH (a)-[:LINK]-(between:Memory|Intent)-[:LINK]-(b:Star)
  WHERE a.id < b.id
  RETURN a, b, null AS correlation, 0 AS mentions, count(DISTINCT between) AS shared
}
// 2. One row a pair, without pairs that are connected or that the user has denied.
WITH a, b, max(correlation) AS correlation, max(mentions) AS mentions, max(shared) AS shared
WHERE NOT EXISTS {
    (a)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(b)
  }
  AND NOT EXISTS {
    MATCH (denied:ArchivedConnection {realm: $realm, pair_key: a.id + '|' + b.id})
    WHERE denied.archived_at IS NOT NULL AND denied.reason = 'denied by the user'
      AND $day - denied.day < $settings.hypothesis_quiet_days
  }
LET excavating = EXISTS {
    MATCH (start:Cursor {realm: $realm})
    WHERE start.id IN ['constellation/' + a.constellation_id, 'constellation/' + b.constellation_id]
      AND 0 <= $day - start.start_day < $settings.excavation_days
  }
LET score = 1.0 - (1.0 - abs(coalesce(correlation, 0.0)))
      * (1.0 - coll.min([0.9, toFloat(mentions) / $settings.candidate_mentions]))
      * 0.5 ^ shared
WITH a, b, score, correlation, mentions, shared, excavating
WHERE score >= $settings.hypothesis_score
      / CASE WHEN excavating THEN $settings.hypothesis_rate ELSE 1.0 END
ORDER BY score DESC, a.id, b.id
WITH collect({a: a, b: b, score: score, correlation: correlation, mentions: mentions,
              shared: shared, excavating: excavating}) AS pairs
LET most = CASE WHEN any(pair IN pairs WHERE pair.excavating)
    THEN toInteger($limit * $settings.hypothesis_rate) ELSE $limit END
UNWIND pairs[..most] AS pair
RETURN pair.a.id AS a, pair.b.id AS b, pair.a.name AS a_name, pair.b.name AS b_name,
       pair.score AS score, pair.correlation AS correlation, pair.mentions AS mentions,
       pair.shared AS shared, pair.excavating AS excavating

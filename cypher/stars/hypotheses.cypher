// Proposes pairs of stars that are not connected, best first, with the hints for each.
//
// Formulas, of three hints from 0 to 1 (S-34):
//   |r|      = Pearson's correlation of brightness (S-18), among the stars engaged last
//   mentions = co-mentions that wait for another / candidate_mentions, at most 0.9
//   shared   = 1 - 0.5 ^ (memories and intents that both are linked to)
//   score    = 1 - (1 - |r|)(1 - mentions)(1 - shared), at least hypothesis_score
// In the first days of a constellation the threshold is divided, and the number of proposals
// multiplied, by hypothesis_rate. Pairs that the user has denied lately are not proposed.
//
// Parameters: $day, $limit, $settings, $realm
// Returns: a (lower id), b (upper id), a_name (its name), b_name (its name), score (0 to 1),
//   correlation (Pearson's r, or null), mentions (co-mentions that wait), shared (linked memories
//   and intents of both), excavating (first days of a constellation)
// Access: read

CYPHER 25
// 1. Hints: brightness that moves alike, co-mentions, shared links.
CALL () {
  // Brightness, day by day, of the stars engaged last: null where a day is not known.
  MATCH (star:Star)
  WHERE star.realm = $realm AND star.bucket >= 0 AND NOT star.state IN ['DORMANT', 'NASCENT']
  WITH star ORDER BY star.engaged_day DESC, star.id LIMIT $settings.hypothesis_stars
  WITH star, range($day - $settings.correlation_days, $day - 1) AS days,
       size(star.daily_closes) - 1 - star.closed_day AS offset
  WITH collect({
    star: star,
    values: [day IN days | CASE WHEN day + offset >= 0 THEN star.daily_closes[day + offset] END],
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
  LET first_values = [i IN points | first.values[i]], count = size(points),
      second_values = [i IN points | second.values[i]]
  LET first_mean = reduce(total = 0.0, value IN first_values | total + value) / count,
      second_mean = reduce(total = 0.0, value IN second_values | total + value) / count
  LET first_spread = reduce(total = 0.0, value IN first_values |
        total + (value - first_mean) ^ 2),
      second_spread = reduce(total = 0.0, value IN second_values |
        total + (value - second_mean) ^ 2),
      together = reduce(total = 0.0, i IN range(0, count - 1) |
        total + (first_values[i] - first_mean) * (second_values[i] - second_mean))
  WITH first, second, together, first_spread, second_spread
  WHERE first_spread > 1e-12 AND second_spread > 1e-12
  RETURN first.star AS lower, second.star AS upper,
         together / sqrt(first_spread * second_spread) AS correlation, 0 AS mentions, 0 AS shared
UNION ALL
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
  MATCH (lower:Star {realm: $realm, id: candidate.lower})
  MATCH (upper:Star {realm: $realm, id: candidate.upper})
  RETURN lower, upper, null AS correlation, candidate.count AS mentions, 0 AS shared
UNION ALL
  MATCH (lower:Star) WHERE lower.realm = $realm AND lower.bucket >= 0
  MATCH (lower)-[:LINK]-(between:Memory|Intent)-[:LINK]-(upper:Star)
  WHERE lower.id < upper.id
  RETURN lower, upper, null AS correlation, 0 AS mentions, count(DISTINCT between) AS shared
}
// 2. One row a pair, without pairs that are connected or that the user has denied.
WITH lower, upper, max(correlation) AS correlation, max(mentions) AS mentions, max(shared) AS shared
WHERE NOT EXISTS {
    (lower)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(upper)
  }
  AND NOT EXISTS {
    MATCH (denied:ArchivedConnection {realm: $realm, pair_key: lower.id + '|' + upper.id})
    WHERE denied.archived_at IS NOT NULL AND denied.reason = 'denied by the user'
      AND $day - denied.day < $settings.hypothesis_quiet_days
  }
// 3. Score, threshold and number of proposals.
LET excavating = EXISTS {
    MATCH (start:Cursor {realm: $realm})
    WHERE start.id IN [
        'constellation/' + lower.constellation_id, 'constellation/' + upper.constellation_id]
      AND 0 <= $day - start.start_day < $settings.excavation_days
  }
LET score = 1.0 - (1.0 - abs(coalesce(correlation, 0.0)))
      * (1.0 - coll.min([0.9, toFloat(mentions) / $settings.candidate_mentions]))
      * 0.5 ^ shared
WITH lower, upper, score, correlation, mentions, shared, excavating
WHERE score >= $settings.hypothesis_score
      / CASE WHEN excavating THEN $settings.hypothesis_rate ELSE 1.0 END
ORDER BY score DESC, lower.id, upper.id
WITH collect({a: lower, b: upper, score: score, correlation: correlation, mentions: mentions,
              shared: shared, excavating: excavating}) AS pairs
LET most = CASE WHEN any(pair IN pairs WHERE pair.excavating)
    THEN toInteger($limit * $settings.hypothesis_rate) ELSE $limit END
UNWIND pairs[..most] AS pair
RETURN pair.a.id AS a, pair.b.id AS b, pair.a.name AS a_name, pair.b.name AS b_name,
       pair.score AS score, pair.correlation AS correlation, pair.mentions AS mentions,
       pair.shared AS shared, pair.excavating AS excavating

// Reads the strength of a star's strongest connections over time.
//
// Its points are every change, the close of every week, and now.
//
// Parameters: $realm, $id, $limit, $now
// Returns: id (of the other star), name (of the other star), type (type of the connection),
//   points (at and strength of each)
// Access: read

CYPHER 25
// connections: the strongest of the star, with the last day of their weekly strengths
MATCH (star:Star {realm: $realm, id: $id})
      -[connection:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
WITH star, connection, other
ORDER BY connection.strength DESC, connection.pair_key LIMIT $limit
LET last_day = star.closed_day - star.closed_day % 7, weeks = size(connection.weekly_strengths)
// points: the close of every week, every change, and now
CALL (star, connection, last_day, weeks) {
  UNWIND range(0, weeks - 1) AS week
  LET day = last_day - 7 * (weeks - 1 - week)
  RETURN datetime({epochSeconds: (day + 1) * 86400}) AS at,
         connection.weekly_strengths[week] AS strength
UNION
  MATCH (change:ConnectionChange)
  WHERE change.realm = $realm AND change.pair_key = connection.pair_key
    AND change.day IS NOT NULL AND change.at >= connection.created_at
  RETURN change.at AS at, change.strength AS strength
UNION
  RETURN $now AS at, connection.strength AS strength
}
WITH connection, other, at, strength ORDER BY at
WITH connection, other, collect({at: at, strength: strength}) AS points
ORDER BY connection.strength DESC, connection.pair_key
RETURN other.id AS id, other.name AS name, type(connection) AS type, points

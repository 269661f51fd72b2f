// Returns the latest daily closes of stars, and the days on which they were engaged.
//
// Parameters: $ids, $points, $realm
// Returns: id (star id), state (state), daily_closes (brightness at each close), closed_day (epoch
//   day of the last one), engaged_days (epoch days of engagement)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
RETURN star.id AS id, star.state AS state, star.daily_closes[-$points..] AS daily_closes,
       star.closed_day AS closed_day, star.engaged_days AS engaged_days

// The latest daily closes of stars, and the days on which they were engaged.
//
// Parameters: $ids, $points, $realm
// Returns: id, state, hist, hist_end_day, engaged_days
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
RETURN star.id AS id, star.state AS state, star.hist[-$points..] AS hist,
       star.hist_end_day AS hist_end_day, star.engaged_days AS engaged_days

// What a forecast of fading knows of each star that is awake.
//
// Parameters: $realm
// Returns: id, domain, state, brightness, variance, run_days, engaged_day, multiplier, gains,
//   losses, impact_day, dark, constellation
// Access: read

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.bucket >= 0 AND star.state <> 'DORMANT'
RETURN star.id AS id, star.domain AS domain, star.state AS state, star.brightness AS brightness,
       star.variance AS variance, star.run_days AS run_days, star.engaged_day AS engaged_day,
       star.impact_multiplier AS multiplier, coalesce(star.gains_today, 0.0) AS gains,
       coalesce(star.losses_today, 0.0) AS losses, star.impact_day AS impact_day,
       star.is_anti_pattern AS dark, star.constellation_id AS constellation

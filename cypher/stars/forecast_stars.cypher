// Returns each star that is awake, with what a forecast of its fading reads.
//
// Parameters: $realm
// Returns: id (star id), domain (domain of life), state (state), brightness (brightness, 0 to 1),
//   variance (restlessness, 0 to 1), run_days (calm days in a row), engaged_day (epoch day of the
//   last engagement), multiplier (factor on gains), gains (gains since the close), losses (losses
//   since the close), impact_day (epoch day they count for, or null), dark (flagged as an
//   anti-pattern), constellation (constellation id)
// Access: read

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.bucket >= 0 AND star.state <> 'DORMANT'
RETURN star.id AS id, star.domain AS domain, star.state AS state, star.brightness AS brightness,
       star.variance AS variance, star.run_days AS run_days, star.engaged_day AS engaged_day,
       star.impact_multiplier AS multiplier, coalesce(star.gains_today, 0.0) AS gains,
       coalesce(star.losses_today, 0.0) AS losses, star.impact_day AS impact_day,
       star.is_anti_pattern AS dark, star.constellation_id AS constellation

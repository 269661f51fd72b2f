// Returns a star as of now: its last close, with the gains and losses of today so far.
//
// Parameters: $id, $settings, $realm
// Returns: id (star id), name (name of the star), domain (domain of life), constellation
//   (constellation id), state (state), brightness (brightness with the gains and losses of today),
//   variance (restlessness, 0 to 1), effective_max (ceiling that blocks leave), impact_multiplier
//   (factor on gains), run_days (calm days in a row), contradictions (number of contradictions),
//   confrontation (confrontation score), created_at (time of creation), last_engaged (time of the
//   last engagement), aliases (other names), description (in a person's words, or empty)
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
WITH star, CASE
  WHEN star.impact_day IS NULL THEN star.brightness
  ELSE star.brightness
       + star.impact_multiplier * coll.min([star.gains_today, $settings.daily_gain_cap])
       - star.losses_today
END AS now
RETURN star.id AS id, star.name AS name, star.domain AS domain,
       star.constellation_id AS constellation, star.state AS state,
       coll.max([$settings.brightness_floor, coll.min([star.effective_max, now])]) AS brightness,
       star.variance AS variance, star.effective_max AS effective_max,
       star.impact_multiplier AS impact_multiplier, star.run_days AS run_days,
       star.contradictions AS contradictions, star.confrontation AS confrontation,
       star.created_at AS created_at, star.last_engaged AS last_engaged,
       coalesce(star.aliases, []) AS aliases, coalesce(star.content, '') AS description

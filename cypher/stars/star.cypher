// A star as it stands now: its last close, with what today has added or taken so far.
//
// Parameters: $id, $settings, $realm
// Returns: id, name, domain, constellation, state, brightness, variance, effective_max,
//   impact_multiplier, run_days, contradictions, confrontation, created_at, last_engaged
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
WITH star, CASE
  WHEN star.impact_day IS NULL THEN star.brightness
  ELSE star.brightness + star.impact_multiplier * coll.min([star.gains_today, $settings.daily_gain_cap])
       - star.losses_today
END AS now
RETURN star.id AS id, star.name AS name, star.domain AS domain,
       star.constellation_id AS constellation, star.state AS state,
       coll.max([$settings.brightness_floor, coll.min([star.effective_max, now])]) AS brightness,
       star.variance AS variance, star.effective_max AS effective_max,
       star.impact_multiplier AS impact_multiplier, star.run_days AS run_days,
       star.contradictions AS contradictions, star.confrontation AS confrontation,
       star.created_at AS created_at, star.last_engaged AS last_engaged

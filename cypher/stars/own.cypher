// What each star did to itself today, and the ceiling it did it under, before neighbours reach it.
//
// B-1 without the neighbours: gains under their cap, losses, and decay (B-2) unless it was engaged.
// The clamp comes once, with the neighbours; for them the star keeps the change that really happens
// (D-38): at its ceiling it lifts nobody. They all read this one frozen picture.
//
// Parameters: $day, $settings, $realm
// Returns: stars
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star) {
  WITH star WHERE star.own_day < $day
  // The ceiling (S-27): the strongest block that holds; a sleeping star has none.
  OPTIONAL MATCH (star)<-[r:BLOCKS]-(blocker:Star)
  WHERE r.block_active AND blocker.state <> 'DORMANT' AND star.state <> 'DORMANT'
  WITH star, 1.0 - $settings.block_factor * coalesce(max(r.strength), 0.0) AS top
  LET b = CASE WHEN isNaN(star.brightness) THEN star.previous_brightness ELSE star.brightness END,
      low = $settings.brightness_floor, ledger = coalesce(star.impact_day <= $day, false)
  LET rate = 1.0 - 0.5 ^ (1.0 / $settings.star_half_life[star.domain])
  LET decay = CASE
        WHEN star.engaged_day = $day OR b <= low THEN 0.0
        ELSE b * rate * (b - low) / (1.0 - low)
             * CASE WHEN b < $settings.dim_decay_below - 1e-9 THEN 0.5 ELSE 1.0 END
      END,
      impact = CASE WHEN ledger THEN
        coll.min([star.gains_today, $settings.daily_gain_cap]) * star.impact_multiplier
        - star.losses_today ELSE 0.0 END
  LET reached = coll.max([low, coll.min([top, b + impact - decay])])
  SET star.brightness = b, star.effective_max = top, star.own_unclamped = impact - decay,
      star.own_brightness = reached, star.own_delta = reached - b,
      star.own_day = $day,
      star.impact_day = CASE WHEN ledger THEN null ELSE star.impact_day END,
      star.gains_today = CASE WHEN ledger THEN null ELSE star.gains_today END,
      star.losses_today = CASE WHEN ledger THEN null ELSE star.losses_today END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(star) AS stars

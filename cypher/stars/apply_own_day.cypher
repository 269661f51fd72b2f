// Computes each star's own change of the day, and its ceiling: a step of a close.
//
// Formulas:
//   ceiling    = 1 - block_factor * greatest strength of a block that holds             S-27, S-29
//   fading     = b * (1 - 0.5 ^ (1 / half_life)) * (b - lowest) / (1 - lowest), half of
//                it below dim_decay_below, 0 on a day of engagement                     B-2
//   impact     = min(gains, daily_gain_cap) * multiplier - losses                       B-1
//   own change = clamp(b + impact - fading, lowest, ceiling) - b                        D-38
// Brightness itself changes in apply_effects, clamped once: all stars read this frozen picture, and
// a star at its ceiling lifts nobody.
//
// Parameters: $day, $settings, $realm
// Returns: stars (number of stars)
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star) {
  // Ceiling: that of the strongest block that holds; a sleeping star has none.
  WITH star WHERE star.own_day < $day
  OPTIONAL MATCH (star)<-[block:BLOCKS]-(blocker:Star)
  WHERE block.block_active AND blocker.state <> 'DORMANT' AND star.state <> 'DORMANT'
  WITH star, 1.0 - $settings.block_factor * coalesce(max(block.strength), 0.0) AS ceiling
  // Fading and impact.
  LET old = CASE WHEN isNaN(star.brightness)
        THEN star.previous_brightness ELSE star.brightness END,
      lowest = $settings.brightness_floor, has_impact = coalesce(star.impact_day <= $day, false),
      rate = 1.0 - 0.5 ^ (1.0 / $settings.star_half_life[star.domain])
  LET fading = CASE
        WHEN star.engaged_day = $day OR old <= lowest THEN 0.0
        ELSE old * rate * (old - lowest) / (1.0 - lowest)
             * CASE WHEN old < $settings.dim_decay_below - 1e-9 THEN 0.5 ELSE 1.0 END
      END,
      impact = CASE WHEN has_impact THEN
        coll.min([star.gains_today, $settings.daily_gain_cap]) * star.impact_multiplier
        - star.losses_today ELSE 0.0 END
  LET now = coll.max([lowest, coll.min([ceiling, old + impact - fading])])
  // The frozen picture, and an empty ledger for the next day.
  SET star.brightness = old, star.effective_max = ceiling,
      star.own_change_unclamped = impact - fading, star.own_change = now - old,
      star.own_brightness = now, star.own_day = $day,
      star.impact_day = CASE WHEN has_impact THEN null ELSE star.impact_day END,
      star.gains_today = CASE WHEN has_impact THEN null ELSE star.gains_today END,
      star.losses_today = CASE WHEN has_impact THEN null ELSE star.losses_today END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(star) AS stars

// Keeps what a close changes of each star, so that a long catch-up can be undone.
//
// Parameters: $settings, $realm
// Returns: stars
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star) {
  MERGE (kept:KeptStar {realm: $realm, id: star.id})
  SET kept = star {
    .realm, .id, .brightness, .previous_brightness, .own_delta, .own_unclamped, .own_brightness,
    .own_day, .impact_day, .gains_today, .losses_today, .state, .next_state, .is_anti_pattern,
    .contradictions, .confrontation, .confronted, .variance, .run_days, .effective_max,
    .impact_multiplier, .spill, .drain, .hist, .hist_end_day, .last_engaged
  }
} IN TRANSACTIONS OF $settings.close_rows ROWS
RETURN count(star) AS stars

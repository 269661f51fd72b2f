// Stores the properties of each star that a close changes, so that a catch-up can be undone.
//
// Parameters: $settings, $realm
// Returns: nothing
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star) {
  MERGE (copy:KeptStar {realm: $realm, id: star.id})
  SET copy = star {
    .realm, .id, .brightness, .previous_brightness, .own_change, .own_change_unclamped,
    .own_brightness, .own_day, .impact_day, .gains_today, .losses_today, .state, .next_state,
    .is_anti_pattern, .contradictions, .confrontation, .confrontation_counts, .variance, .run_days,
    .effective_max, .impact_multiplier, .spill, .drain, .daily_closes, .closed_day, .last_engaged
  }
} IN TRANSACTIONS OF $settings.close_rows ROWS

// Gives every star back what was kept of it, its label of the state included.
//
// Parameters: $realm
// Returns: stars
// Access: write

CYPHER 25
MATCH (kept:KeptStar) WHERE kept.realm = $realm AND kept.id IS NOT NULL
MATCH (star:Star {realm: $realm, id: kept.id})
REMOVE star:Nascent:Dark:Flickering:Dim:Bright:Dormant
SET star:$(left(kept.state, 1) + toLower(substring(kept.state, 1))),
    star += kept {
      .brightness, .previous_brightness, .own_delta, .own_unclamped, .own_brightness, .own_day,
      .impact_day, .gains_today, .losses_today, .state, .next_state, .is_anti_pattern, .contradictions,
      .confrontation, .confronted, .variance, .run_days, .effective_max, .impact_multiplier,
      .spill, .drain, .hist, .hist_end_day
    }
RETURN count(star) AS stars

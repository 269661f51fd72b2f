// Gives every star back its properties of the snapshot, and the label of its state.
//
// Parameters: $realm
// Returns: nothing
// Access: write

CYPHER 25
MATCH (copy:KeptStar) WHERE copy.realm = $realm AND copy.id IS NOT NULL
MATCH (star:Star {realm: $realm, id: copy.id})
REMOVE star:Nascent:Dark:Flickering:Dim:Bright:Dormant
SET star:$(left(copy.state, 1) + toLower(substring(copy.state, 1))),
    star += copy {
      .brightness, .previous_brightness, .own_change, .own_change_unclamped, .own_brightness,
      .own_day, .impact_day, .gains_today, .losses_today, .state, .next_state, .is_anti_pattern,
      .contradictions, .confrontation, .confrontation_counts, .variance, .run_days,
      .effective_max, .impact_multiplier, .spill, .drain, .daily_closes, .closed_day
    }

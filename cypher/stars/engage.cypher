// Adds gains and losses to a star's ledger of the day, and records a brightness event when due.
//
// Formulas:
//   brightness = clamp(b - losses + multiplier * min(gains, daily_gain_cap), lowest, ceiling) B-1
//   event      = when own changes since the last one add up to event_threshold                D-26
// The close applies the whole ledger at once. A change is the real move of the brightness: nothing
// at the ceiling or the floor.
//
// Parameters: $id, $gains, $losses, $at, $day, $event, $settings, $realm
// Returns: nothing
// Access: write

CYPHER 25
// Brightness before and after, and the change since the last event.
MATCH (star:Star {realm: $realm, id: $id})
WITH star, coalesce(star.gains_today, 0.0) AS gained, coalesce(star.losses_today, 0.0) AS lost,
     $settings.daily_gain_cap AS cap, $settings.brightness_floor AS lowest
LET before = coll.max([lowest, coll.min([star.effective_max, star.brightness - lost
      + star.impact_multiplier * coll.min([gained, cap])])]),
    after = coll.max([lowest, coll.min([star.effective_max, star.brightness - lost - $losses
      + star.impact_multiplier * coll.min([gained + $gains, cap])])])
LET moved = star.change_since_event + after - before
LET fires = abs(moved) >= $settings.event_threshold - 1e-9
// Ledger and event.
SET star.gains_today = gained + $gains, star.losses_today = lost + $losses,
    star.impact_day = coll.max([$day, star.closed_day + 1]),
    star.change_since_event = CASE WHEN fires THEN 0.0 ELSE moved END
FOREACH (_ IN CASE WHEN fires THEN [1] ELSE [] END |
  CREATE (:BrightnessEvent {
    realm: $realm, id: $event, star: $id, at: $at, day: star.impact_day, delta: moved,
    epoch_hours: $at.epochMillis / 3600000.0,
    caption: star.name + CASE WHEN moved > 0 THEN ' rose' ELSE ' fell' END
  })
)

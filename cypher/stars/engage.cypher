// Adds to a star's ledger of the day, and records an event when its own changes have added up.
//
// Gains count up to the daily cap, times the star's multiplier; the close applies the whole ledger
// at once (B-1). An event fires when own changes since the last one reach the threshold (D-26). A
// change is what the brightness really moves by: nothing, where it is at its ceiling or its floor.
//
// Parameters: $id, $gains, $losses, $at, $day, $event, $settings, $realm
// Returns: event
// Access: write

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
WITH star, coalesce(star.gains_today, 0.0) AS gained, coalesce(star.losses_today, 0.0) AS lost,
     $settings.daily_gain_cap AS cap, $settings.brightness_floor AS low
LET before = coll.max([low, coll.min([star.effective_max, star.brightness - lost
      + star.impact_multiplier * coll.min([gained, cap])])]),
    after = coll.max([low, coll.min([star.effective_max, star.brightness - lost - $losses
      + star.impact_multiplier * coll.min([gained + $gains, cap])])])
LET moved = star.event_ref + after - before
SET star.gains_today = gained + $gains, star.losses_today = lost + $losses,
    star.impact_day = coll.max([$day, star.hist_end_day + 1]),
    star.event_ref = CASE
      WHEN abs(moved) >= $settings.event_threshold - 1e-9 THEN 0.0 ELSE moved
    END
WITH star, moved, abs(moved) >= $settings.event_threshold - 1e-9 AS fired
FOREACH (_ IN CASE WHEN fired THEN [1] ELSE [] END |
  CREATE (:BrightnessEvent {
    realm: $realm, id: $event, star: $id, at: $at, day: star.impact_day, delta: moved,
    at_h: $at.epochMillis / 3600000.0,
    caption: star.name + CASE WHEN moved > 0 THEN ' rose' ELSE ' fell' END
  })
)
RETURN CASE WHEN fired THEN $event END AS event

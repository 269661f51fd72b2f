// A star is engaged: it wakes if it slept, and its connections take note.
//
// Engagement of either star keeps a connection awake (D-16): the state it holds at that moment is
// the one whose dormancy threshold counts from now on (D-20).
//
// Parameters: $id, $at, $day, $settings, $realm
// Returns: woken, before
// Access: write

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
WITH star, star.state AS before
SET star.last_engaged = coll.max([star.last_engaged, $at]),
    star.engaged_day = coll.max([star.engaged_day, $day]),
    star.engaged_days = CASE
      WHEN $day IN star.engaged_days THEN star.engaged_days
      ELSE (star.engaged_days + $day)[-$settings.engaged_days_kept..]
    END
FOREACH (_ IN CASE before WHEN 'DORMANT' THEN [1] ELSE [] END |
  REMOVE star:Dormant
  SET star.state = 'FLICKERING', star:Flickering
)
WITH star, before
CALL (star) {
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
  SET r.decayed_day = r.decayed_day
  WITH r, other
  SET r.engaged_state = CASE r.state WHEN 'DORMANT' THEN r.engaged_state ELSE r.state END
  WITH r, other
  WHERE r.state = 'DORMANT' AND r.dormant_reason = 'STAR' AND other.state <> 'DORMANT'
  RETURN collect(r.pair_key) AS woken
}
RETURN woken, before

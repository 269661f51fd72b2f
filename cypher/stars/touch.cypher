// Engages stars: wakes those that sleep, and lets their connections note the state they are in.
//
// Engagement of either star keeps a connection awake (D-16): the state it holds at that moment is
// the one whose dormancy threshold counts from now on (D-20).
//
// Answers with the connections that may wake now, each with the star that woke.
//
// Locks: the caller holds the stars, in the order of their ids; then the connections that change,
// in the order of their pairs.
//
// Parameters: $ids, $at, $day, $settings, $realm
// Returns: pair_key, waker
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
WITH star, star.state = 'DORMANT' AS slept
SET star.last_engaged = coll.max([star.last_engaged, $at]),
    star.engaged_day = coll.max([star.engaged_day, $day]),
    star.engaged_days = CASE
      WHEN $day IN star.engaged_days THEN star.engaged_days
      ELSE (star.engaged_days + $day)[-$settings.engaged_days_kept..]
    END
FOREACH (_ IN CASE WHEN slept THEN [1] ELSE [] END |
  REMOVE star:Dormant
  SET star.state = 'FLICKERING', star:Flickering
)
// All stars are awake before the first connection is looked at: both ends may have slept.
WITH collect({star: star, slept: slept}) AS engaged
UNWIND engaged AS one
WITH one.star AS star, one.slept AS slept
MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
WHERE (r.state <> 'DORMANT' AND r.engaged_state <> r.state)
  OR (r.state = 'DORMANT' AND r.dormant_reason = 'STAR')
WITH r, min(CASE WHEN slept THEN star.id END) AS waker
ORDER BY r.pair_key
SET r.decayed_day = r.decayed_day
WITH r, waker
SET r.engaged_state = CASE r.state WHEN 'DORMANT' THEN r.engaged_state ELSE r.state END
WITH r, waker
WHERE waker IS NOT NULL AND r.state = 'DORMANT' AND r.dormant_reason = 'STAR'
  AND startNode(r).state <> 'DORMANT' AND endNode(r).state <> 'DORMANT'
RETURN r.pair_key AS pair_key, waker
ORDER BY pair_key

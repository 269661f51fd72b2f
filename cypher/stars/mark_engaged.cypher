// Marks stars as engaged, and wakes those that sleep.
//
// Engagement of either star keeps a connection awake (D-16): the state it has at that moment is the
// one whose dormancy threshold counts from now on (D-20). Returns the connections that may wake
// now, each with the star that woke.
//
// Locks: connections that change by pair_key, in order; the caller has locked the stars
//
// Parameters: $ids, $at, $day, $now, $settings, $realm
// Returns: pair_key (lower|upper id), waker (star whose waking may wake it)
// Access: write

CYPHER 25
// Stars: the last engagement, and the state of those that slept.
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
// Connections; all stars are awake before the first is read, since both of its ends may have slept.
WITH collect({star: star, slept: slept}) AS engaged
UNWIND engaged AS each
WITH each.star AS star, each.slept AS slept
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
WHERE (link.state <> 'DORMANT' AND link.engaged_state <> link.state)
  OR (link.state = 'DORMANT' AND link.dormant_reason = 'STAR')
WITH link, min(CASE WHEN slept THEN star.id END) AS waker
ORDER BY link.pair_key
SET link.locked_at = $now
WITH link, waker
SET link.engaged_state = CASE link.state WHEN 'DORMANT' THEN link.engaged_state ELSE link.state END
WITH link, waker
WHERE waker IS NOT NULL AND link.state = 'DORMANT' AND link.dormant_reason = 'STAR'
  AND startNode(link).state <> 'DORMANT' AND endNode(link).state <> 'DORMANT'
RETURN link.pair_key AS pair_key, waker
ORDER BY pair_key

// Applies an action of the user to a connection: denied, retired, or given a type.
//
// Locks: the connection; the caller has locked its stars
//
// Parameters: $lower, $upper, $loss, $retired, $at, $day, $now, $realm
// Returns: strength (strength after it)
// Access: write

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
SET link.locked_at = $now
WITH link
SET link.strength = coll.max([0.0, link.strength - $loss]),
    link.engaged_day = coll.max([link.engaged_day, $day]),
    link.last_engaged = coll.max([link.last_engaged, $at])
FOREACH (_ IN CASE WHEN $retired AND link.state <> 'DORMANT' THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: link.pair_key, at: $at, day: $day, field: 'state',
    `from`: link.state, to: 'DORMANT', strength: link.strength, rule: 'retired by the user',
    caption: link.state + ' > DORMANT'
  })
  SET link.state = 'DORMANT', link.state_rank = 0, link.dormant_since = $day,
      link.dormant_reason = 'RETIRED'
)
RETURN link.strength AS strength

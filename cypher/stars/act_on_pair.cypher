// What a person does to a connection beside evidence: denies it, retires it, names its type.
//
// Parameters: $lower, $upper, $loss, $retired, $at, $day, $realm
// Returns: strength
// Access: write

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
SET r.decayed_day = r.decayed_day
WITH r
SET r.strength = coll.max([0.0, r.strength - $loss]),
    r.engaged_day = coll.max([r.engaged_day, $day]),
    r.last_engaged = coll.max([r.last_engaged, $at])
FOREACH (_ IN CASE WHEN $retired AND r.state <> 'DORMANT' THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: r.pair_key, at: $at, day: $day,
    field: 'state', `from`: r.state, to: 'DORMANT', strength: r.strength, rule: 'retired by the user',
    caption: r.state + ' > DORMANT'
  })
  SET r.state = 'DORMANT', r.state_rank = 0, r.dormant_since = $day, r.dormant_reason = 'RETIRED'
)
RETURN r.strength AS strength

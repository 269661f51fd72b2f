// Returns every star and connection that breaks a rule that must always hold.
//
// A day that has begun counts as closed until yesterday, however far behind the last close is. A
// star in the middle of a close, between apply_own_day and apply_effects, is not judged by its
// ceiling.
//
// Parameters: $settings, $realm, $now
// Returns: rule (rule that is broken), id (star id or pair_key), value (offending value, or null)
// Access: read

CYPHER 25
// 1. Stars: their numbers, ceilings and labels.
LET today = $now.epochSeconds / 86400
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star, today) {
  WITH star WHERE star.brightness IS NULL OR isNaN(star.brightness)
    OR star.brightness < $settings.brightness_floor - 1e-9
    OR (star.brightness > star.effective_max + 1e-9 AND star.own_day <= star.closed_day)
    OR star.effective_max > 1.0
  RETURN 'brightness is in range' AS rule, star.id AS id, star.brightness AS value
UNION ALL
  WITH star WHERE abs(coalesce(star.spill, 0.0)) > $settings.spill_cap + 1e-9
    OR coalesce(star.drain, 0.0) > $settings.drain_cap + 1e-9
  RETURN 'spill and drain are capped' AS rule, star.id AS id, star.drain AS value
UNION ALL
  WITH star WHERE star.own_change_unclamped IS NOT NULL AND star.own_day = star.closed_day
    AND abs(star.own_change - (star.own_brightness - star.previous_brightness)) > 1e-9
  RETURN 'a star moves others by what it really moved' AS rule, star.id AS id,
    star.own_change AS value
UNION ALL
  WITH star WHERE star.effective_max < 1.0 - 1e-9
    AND NOT EXISTS { (star)<-[link:BLOCKS]-(:Star) WHERE link.block_active }
    AND NOT EXISTS { (star)<-[link:BLOCKS]-(:Star) WHERE link.decayed_day > star.own_day }
  RETURN 'only a block that holds lowers a ceiling' AS rule, star.id AS id,
    star.effective_max AS value
UNION ALL
  WITH star WHERE NOT left(star.state, 1) + toLower(substring(star.state, 1)) IN labels(star)
    OR size(labels(star)) <> 2
  RETURN 'the second label is the state' AS rule, star.id AS id, null AS value
UNION ALL
// 2. Connections, and the days that are closed.
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE link.strength IS NULL OR isNaN(link.strength) OR link.strength < 0.0 OR link.strength > 1.0
  RETURN 'strength is in range' AS rule, link.pair_key AS id, link.strength AS value
UNION ALL
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE link.gains_day = today
    AND link.strength_gained_today
      + CASE WHEN link.bonus_day = link.gains_day THEN link.bonus_today ELSE 0.0 END
      > $settings.daily_strength_cap + 1e-9
  RETURN 'the daily gain is capped' AS rule, link.pair_key AS id,
    link.strength_gained_today AS value
UNION ALL
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
  WITH star, other, count(link) AS between WHERE between > 1 OR star = other
  RETURN 'one connection joins a pair' AS rule, star.id + '|' + other.id AS id,
    toFloat(between) AS value
UNION ALL
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE star.state IN ['DORMANT', 'NASCENT'] AND link.state <> 'DORMANT'
  RETURN 'a sleeping or new star has no active connection' AS rule, link.pair_key AS id,
    null AS value
UNION ALL
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE link.state = 'DORMANT' AND link.dormant_reason = 'STAR'
    AND star.state <> 'DORMANT' AND other.state <> 'DORMANT'
  RETURN 'what slept because of a star wakes with it' AS rule, link.pair_key AS id, null AS value
UNION ALL
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
  MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
  WITH star, link, close
  WHERE coll.max([link.decayed_day, star.closed_day]) > coll.max([close.day, today])
  RETURN 'no day is closed ahead of its time' AS rule, link.pair_key AS id,
    toFloat(close.day) AS value
UNION ALL
  MATCH (close:Cursor {realm: $realm, id: 'stars/close'}) WHERE close.day > today
  RETURN DISTINCT 'no closed day lies ahead of the clock' AS rule, close.id AS id,
    toFloat(close.day) AS value
}
RETURN DISTINCT rule, id, value ORDER BY rule, id

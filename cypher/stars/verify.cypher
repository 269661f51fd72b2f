// Every star and connection that breaks a rule which must always hold; nobody, if all is well.
//
// What is begun today counts as closed until yesterday, however far behind the last close is. A star
// in the middle of a close, after own.cypher and before effects.cypher, is not judged by its ceiling.
//
// Parameters: $settings, $realm, $now
// Returns: rule, id, value
// Access: read

CYPHER 25
// 1. Stars: their numbers, ceilings and labels.
LET today = $now.epochSeconds / 86400
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star, today) {
  WITH star WHERE star.brightness IS NULL OR isNaN(star.brightness)
    OR star.brightness < $settings.brightness_floor - 1e-9
    OR (star.brightness > star.effective_max + 1e-9 AND star.own_day <= star.hist_end_day)
    OR star.effective_max > 1.0
  RETURN 'brightness is in range' AS rule, star.id AS id, star.brightness AS value
UNION ALL
  WITH star WHERE abs(coalesce(star.spill, 0.0)) > $settings.spill_cap + 1e-9
    OR coalesce(star.drain, 0.0) > $settings.drain_cap + 1e-9
  RETURN 'spill and drain are capped' AS rule, star.id AS id, star.drain AS value
UNION ALL
  WITH star WHERE star.own_unclamped IS NOT NULL AND star.own_day = star.hist_end_day
    AND abs(star.own_delta - (star.own_brightness - star.previous_brightness)) > 1e-9
  RETURN 'a star moves others by what it really moved' AS rule, star.id AS id,
    star.own_delta AS value
UNION ALL
  WITH star WHERE star.effective_max < 1.0 - 1e-9
    AND NOT EXISTS { (star)<-[r:BLOCKS]-(:Star) WHERE r.block_active }
    AND NOT EXISTS { (star)<-[r:BLOCKS]-(:Star) WHERE r.decayed_day > star.own_day }
  RETURN 'only a block that holds lowers a ceiling' AS rule, star.id AS id,
    star.effective_max AS value
UNION ALL
  WITH star WHERE NOT left(star.state, 1) + toLower(substring(star.state, 1)) IN labels(star)
    OR size(labels(star)) <> 2
  RETURN 'the second label is the state' AS rule, star.id AS id, null AS value
UNION ALL
// 2. Connections, and the days that are closed.
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE r.strength IS NULL OR isNaN(r.strength) OR r.strength < 0.0 OR r.strength > 1.0
  RETURN 'strength is in range' AS rule, r.pair_key AS id, r.strength AS value
UNION ALL
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE r.gains_day = today AND r.strength_gained_today + CASE WHEN r.bonus_day = r.gains_day THEN r.bonus_today ELSE 0.0 END
    > $settings.daily_strength_cap + 1e-9
  RETURN 'the daily gain is capped' AS rule, r.pair_key AS id, r.strength_gained_today AS value
UNION ALL
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
  WITH star, other, count(r) AS between WHERE between > 1 OR star = other
  RETURN 'one connection joins a pair' AS rule, star.id + '|' + other.id AS id,
    toFloat(between) AS value
UNION ALL
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE star.state IN ['DORMANT', 'NASCENT'] AND r.state <> 'DORMANT'
  RETURN 'a sleeping or new star has no active connection' AS rule, r.pair_key AS id, null AS value
UNION ALL
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WHERE r.state = 'DORMANT' AND r.dormant_reason = 'STAR'
    AND star.state <> 'DORMANT' AND other.state <> 'DORMANT'
  RETURN 'what slept because of a star wakes with it' AS rule, r.pair_key AS id, null AS value
UNION ALL
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
  MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
  WITH star, r, close WHERE coll.max([r.decayed_day, star.hist_end_day]) > coll.max([close.day, today])
  RETURN 'no day is closed ahead of its time' AS rule, r.pair_key AS id, toFloat(close.day) AS value
UNION ALL
  MATCH (close:Cursor {realm: $realm, id: 'stars/close'}) WHERE close.day > today
  RETURN DISTINCT 'no closed day lies ahead of the clock' AS rule, close.id AS id,
    toFloat(close.day) AS value
}
RETURN DISTINCT rule, id, value ORDER BY rule, id

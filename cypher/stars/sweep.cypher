// Second step of a close: every connection decays one day and takes its state.
//
// S-13 to S-16, S-4, S-6 and S-7, bucket by bucket of stars; a bucket that has had this day is left
// alone, so a close that was broken off goes on where it stopped. Says which pairs are due for a look
// at their type. Evidence is counted anew only on a day when a piece of it loses weight, and a row is
// read in one go and written only where it changed: writing is what a close costs. A strength that is
// within 1e-9 of a band's edge has reached it: rounding decides about nothing.
//
// Parameters: $day, $excavating, $weekly, $at, $settings, $realm
// Returns: swept, dormant, due, void
// Access: batch

CYPHER 25
LET f = $settings.strength_floor, low = $settings.band_strength, few = $settings.band_evidence,
    full_from = $day - $settings.evidence_full_days, half_from = $day - $settings.evidence_half_days, h = $settings.half_life
LET rates = {RESONANCE: 1.0 - 0.5 ^ (1.0 / h.RESONANCE), TENSION: 1.0 - 0.5 ^ (1.0 / h.TENSION),
  CAUSATION: 1.0 - 0.5 ^ (1.0 / h.CAUSATION), GROWTH_EDGE: 1.0 - 0.5 ^ (1.0 / h.GROWTH_EDGE),
  SHADOW_MIRROR: 1.0 - 0.5 ^ (1.0 / h.SHADOW_MIRROR), BLOCKS: 1.0 - 0.5 ^ (1.0 / h.BLOCKS)}
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
WITH DISTINCT star.bucket AS bucket, f, low, few, full_from, half_from, rates
CALL (bucket, f, low, few, full_from, half_from, rates) {
  MERGE (mark:Cursor {realm: $realm, id: 'sweep ' + bucket})
  WITH * WHERE coalesce(mark.day, -1) < $day SET mark.day = $day
  WITH * MATCH (a:Star {realm: $realm, bucket: bucket})
        -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(b:Star)
  WITH *, type(r) AS kind, r {.strength, .state, .engaged_day, .evidence_eff, .evidence_turns, .decayed_day,
    .type_evaluated_day, .evidence_count, .evidence_at_last_eval} AS p
  WHERE p.decayed_day < $day
  LET s = CASE WHEN p.strength >= 0.0 THEN p.strength ELSE 0.0 END, was = p.state, idle = $day - coll.max([p.engaged_day, a.engaged_day, b.engaged_day]),
      turns = coalesce(p.evidence_turns, $day) <= $day
  LET e = CASE WHEN NOT turns THEN p.evidence_eff ELSE coll.min([$settings.evidence_cap, 0.5 * size([d IN r.ev_days WHERE d >= full_from])
                                        + 0.5 * size([d IN r.ev_days WHERE d >= half_from])]) END
  LET strength = CASE
        WHEN s <= f OR idle <= 0 OR (was = 'DORMANT' AND NOT $settings.decay_while_dormant) THEN s
        ELSE s - s * rates[kind] * (s - f) / (1.0 - f)
          * CASE WHEN idle < $settings.recent_days THEN $settings.recent_factor ELSE 1.0 END
          * CASE WHEN a.constellation_id IN $excavating OR b.constellation_id IN $excavating THEN $settings.excavation_decay ELSE 1.0 END END
  LET state = CASE
        WHEN was = 'DORMANT' OR idle >= $settings.dormancy[
          CASE $settings.dormancy_anchor WHEN 'engaged' THEN r.engaged_state ELSE was END] THEN 'DORMANT'
        WHEN strength + 1e-9 >= low.STRONG AND e >= few.STRONG THEN 'STRONG'
        WHEN strength + 1e-9 >= low.MODERATE AND e >= few.MODERATE THEN 'MODERATE'
        WHEN strength + 1e-9 >= low.WEAK AND e >= few.WEAK THEN 'WEAK'
        WHEN strength + 1e-9 >= low.FORMING AND e >= few.FORMING THEN 'FORMING'
        ELSE 'NASCENT' END
  FOREACH (_ IN CASE WHEN strength <> p.strength OR isNaN(p.strength) THEN [1] END | SET r.strength = strength)
  FOREACH (_ IN CASE WHEN turns THEN [1] END |
    SET r.evidence_turns = $day + coll.min([$settings.evidence_half_days] + [d IN r.ev_days WHERE d >= half_from |
      d + 1 - CASE WHEN d >= full_from THEN full_from ELSE half_from END])
    FOREACH (_ IN CASE WHEN e <> p.evidence_eff THEN [1] END |
      SET r.evidence_eff = e, r.confidence = (1.0 - coalesce(r.irregularity, 0.0))
        * coll.min([e / $settings.evidence_saturation, 1.0]) * CASE r.type_source
          WHEN 'USER' THEN $settings.user_confidence WHEN 'DEFAULT' THEN $settings.default_confidence
          ELSE $settings.base_confidence[kind] END))
  FOREACH (_ IN CASE WHEN $weekly THEN [1] END | SET r.s_week = (r.s_week + strength)[-$settings.weekly_closes..],
        r.caption = toString(round(strength, 2)) + ' ' + state)
  FOREACH (_ IN CASE WHEN state <> was THEN [1] END |
    SET r.state = state, r.caption = toString(round(strength, 2)) + ' ' + state,
        r.state_rank = coll.indexOf(['DORMANT', 'NASCENT', 'FORMING', 'WEAK', 'MODERATE', 'STRONG'], state),
        r.dormant_since = CASE state WHEN 'DORMANT' THEN $day END, r.dormant_reason = CASE state WHEN 'DORMANT' THEN 'INACTIVE' END
    CREATE (:ConnectionChange {realm: $realm, id: randomUUID(), pair_key: r.pair_key, at: $at,
      day: $day, field: 'state', `from`: was, to: state, strength: strength, caption: state,
      rule: CASE state WHEN 'DORMANT' THEN 'idle ' + idle + ' days' ELSE 'daily close' END}))
  RETURN count(*) AS swept,
    sum(CASE WHEN state = 'DORMANT' AND was <> state THEN 1 ELSE 0 END) AS slept,
    collect(CASE WHEN ($day - p.type_evaluated_day >= $settings.evaluate_days
        OR p.evidence_count - p.evidence_at_last_eval >= $settings.evaluate_evidence)
        AND was <> 'DORMANT' THEN r.pair_key END) AS due,
    collect(CASE WHEN strength <= 0.0 THEN r.pair_key END) AS void
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_buckets ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(swept) AS swept, sum(slept) AS dormant, collect(due) AS due, collect(void) AS void

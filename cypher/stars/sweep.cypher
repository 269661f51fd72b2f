// Decays every connection by one day, and gives it the state of the day: a step of a close.
//
// Formulas, for a connection of type t and strength s that nobody has engaged for d days:
//   rate       = 1 - 0.5 ^ (1 / half_life[t])                                           S-13
//   activity   = 0 on a day of engagement, recent_factor within recent_days, else 1     S-14
//   strength   = s - s * rate * activity * (s - floor) / (1 - floor) above the floor    S-15, S-16
//                times excavation_decay in the first days of a constellation            S-34
//   evidence   = pieces of the last 30 days + half of those of the 30 days before,      S-4
//                at most evidence_cap
//   state      = DORMANT after the idle days of the state at the last engagement,       S-7
//                else the highest band whose strength and evidence are reached          S-6
//   confidence = base * min(evidence / saturation, 1) * (1 - irregularity)              S-5
// A strength within 1e-9 of a band's edge has reached it: rounding must not decide.
//
// Writing is what a close costs: a row is read at once and written only where it changed, and
// evidence is counted again only on a day when a piece of it loses weight. A bucket of stars that
// has had this day is left alone, so a close that broke off goes on where it stopped.
//
// Parameters: $day, $excavating, $weekly, $at, $settings, $realm
// Returns: swept (number of connections), dormant (number that fell asleep), due (pair_keys due for
//   a review, by batch), void (pair_keys without strength, by batch)
// Access: batch

CYPHER 25
// 1. Constants of the day, and the buckets of stars.
LET lowest = $settings.strength_floor, half_life = $settings.half_life,
    min_strength = $settings.band_strength, min_evidence = $settings.band_evidence,
    full_from = $day - $settings.evidence_full_days,
    half_from = $day - $settings.evidence_half_days
LET rates = {
  RESONANCE: 1.0 - 0.5 ^ (1.0 / half_life.RESONANCE),
  TENSION: 1.0 - 0.5 ^ (1.0 / half_life.TENSION),
  CAUSATION: 1.0 - 0.5 ^ (1.0 / half_life.CAUSATION),
  GROWTH_EDGE: 1.0 - 0.5 ^ (1.0 / half_life.GROWTH_EDGE),
  SHADOW_MIRROR: 1.0 - 0.5 ^ (1.0 / half_life.SHADOW_MIRROR),
  BLOCKS: 1.0 - 0.5 ^ (1.0 / half_life.BLOCKS)
}
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
WITH DISTINCT star.bucket AS bucket, lowest, min_strength, min_evidence, full_from, half_from, rates
CALL (bucket, lowest, min_strength, min_evidence, full_from, half_from, rates) {
// 2. Connections of one bucket that have not had this day, each with what decides about it.
  MERGE (mark:Cursor {realm: $realm, id: 'sweep ' + bucket})
  WITH * WHERE coalesce(mark.day, -1) < $day
  SET mark.day = $day
  WITH *
  MATCH (star:Star {realm: $realm, bucket: bucket})
        -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(other:Star)
  WITH *, type(link) AS kind, link {
    .strength, .state, .engaged_day, .evidence_eff, .evidence_recount_day, .decayed_day,
    .type_evaluated_day, .evidence_count, .evidence_at_last_eval
  } AS before
  WHERE before.decayed_day < $day
  LET idle = $day - coll.max([before.engaged_day, star.engaged_day, other.engaged_day]),
      recount = coalesce(before.evidence_recount_day, $day) <= $day,
      old_strength = CASE WHEN before.strength >= 0.0 THEN before.strength ELSE 0.0 END
// 3. Effective evidence and strength.
  LET evidence = CASE WHEN NOT recount THEN before.evidence_eff ELSE coll.min([
        $settings.evidence_cap,
        0.5 * size([day IN link.evidence_days WHERE day >= full_from])
          + 0.5 * size([day IN link.evidence_days WHERE day >= half_from])
      ]) END
  LET strength = CASE
        WHEN old_strength <= lowest OR idle <= 0
          OR (before.state = 'DORMANT' AND NOT $settings.decay_while_dormant) THEN old_strength
        ELSE old_strength
          - old_strength * rates[kind] * (old_strength - lowest) / (1.0 - lowest)
          * CASE WHEN idle < $settings.recent_days THEN $settings.recent_factor ELSE 1.0 END
          * CASE WHEN star.constellation_id IN $excavating
              OR other.constellation_id IN $excavating
              THEN $settings.excavation_decay ELSE 1.0 END
      END
// 4. State.
  LET state = CASE
        WHEN before.state = 'DORMANT' THEN 'DORMANT'
        WHEN idle >= $settings.dormancy[CASE $settings.dormancy_anchor
          WHEN 'engaged' THEN link.engaged_state ELSE before.state END] THEN 'DORMANT'
        WHEN strength + 1e-9 >= min_strength.STRONG AND evidence >= min_evidence.STRONG
          THEN 'STRONG'
        WHEN strength + 1e-9 >= min_strength.MODERATE AND evidence >= min_evidence.MODERATE
          THEN 'MODERATE'
        WHEN strength + 1e-9 >= min_strength.WEAK AND evidence >= min_evidence.WEAK
          THEN 'WEAK'
        WHEN strength + 1e-9 >= min_strength.FORMING AND evidence >= min_evidence.FORMING
          THEN 'FORMING'
        ELSE 'NASCENT'
      END
// 5. Changes: strength, evidence with confidence, the weekly strength, the state.
  FOREACH (_ IN CASE
      WHEN strength <> before.strength OR isNaN(before.strength) THEN [1] ELSE [] END |
    SET link.strength = strength
  )
  FOREACH (_ IN CASE WHEN recount THEN [1] ELSE [] END |
    SET link.evidence_recount_day = $day + coll.min([$settings.evidence_half_days]
          + [day IN link.evidence_days WHERE day >= half_from |
             day + 1 - CASE WHEN day >= full_from THEN full_from ELSE half_from END])
  )
  FOREACH (_ IN CASE WHEN recount AND evidence <> before.evidence_eff THEN [1] ELSE [] END |
    SET link.evidence_eff = evidence,
        link.confidence = CASE link.type_source
            WHEN 'USER' THEN $settings.user_confidence
            WHEN 'DEFAULT' THEN $settings.default_confidence
            ELSE $settings.base_confidence[kind] END
          * coll.min([evidence / $settings.evidence_saturation, 1.0])
          * (1.0 - coalesce(link.irregularity, 0.0))
  )
  FOREACH (_ IN CASE WHEN $weekly THEN [1] ELSE [] END |
    SET link.weekly_strengths = (link.weekly_strengths + strength)[-$settings.weekly_closes..],
        link.caption = toString(round(strength, 2)) + ' ' + state
  )
  FOREACH (_ IN CASE WHEN state <> before.state THEN [1] ELSE [] END |
    SET link.state = state,
        link.state_rank = coll.indexOf(
          ['DORMANT', 'NASCENT', 'FORMING', 'WEAK', 'MODERATE', 'STRONG'], state),
        link.dormant_since = CASE state WHEN 'DORMANT' THEN $day END,
        link.dormant_reason = CASE state WHEN 'DORMANT' THEN 'INACTIVE' END,
        link.caption = toString(round(strength, 2)) + ' ' + state
    CREATE (:ConnectionChange {
      realm: $realm, id: randomUUID(), pair_key: link.pair_key, at: $at, day: $day,
      field: 'state', `from`: before.state, to: state, strength: strength, caption: state,
      rule: CASE state WHEN 'DORMANT' THEN 'idle ' + idle + ' days' ELSE 'daily close' END
    })
  )
// 6. Numbers, and the pairs that the next steps of the close look at.
  LET needs_review = before.state <> 'DORMANT' AND (
        $day - before.type_evaluated_day >= $settings.evaluate_days
        OR before.evidence_count - before.evidence_at_last_eval >= $settings.evaluate_evidence)
  RETURN count(*) AS swept,
         sum(CASE WHEN state = 'DORMANT' AND before.state <> state THEN 1 ELSE 0 END) AS dormant,
         collect(CASE WHEN needs_review THEN link.pair_key END) AS due,
         collect(CASE WHEN strength <= 0.0 THEN link.pair_key END) AS void
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_buckets ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(swept) AS swept, sum(dormant) AS dormant, collect(due) AS due, collect(void) AS void

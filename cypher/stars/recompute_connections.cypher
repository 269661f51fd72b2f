// Recomputes effective evidence, confidence, state and block of connections.
//
// After evidence, a change of type, a denial, or the waking of a star. A connection that sleeps
// goes on sleeping unless it is woken; one with a sleeping star always sleeps.
//
// Formulas, which sweep and update_blocks share:
//   evidence     = pieces of the last 30 days + half of those of the 30 days before       S-4
//   irregularity = variance / (variance + mean ^ 2) of the gaps between evidence days     D-12
//   confidence   = base * min(evidence / saturation, 1) * (1 - irregularity)              S-5
//   state        = the highest band whose strength and evidence are reached               S-6
//   block_active = from WEAK on, and until the strength falls below block_release         D-44
//
// Parameters: $pairs, $day, $at, $rule, $wake, $engaged, $settings, $realm
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $pairs AS pair
MATCH (lower:Star {realm: $realm, id: pair[0]})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (upper:Star {realm: $realm, id: pair[1]})
// 1. Effective evidence, and the irregularity of its days.
LET strength = link.strength, before = link.state, kind = type(link),
    asleep = lower.state = 'DORMANT' OR upper.state = 'DORMANT',
    days = coll.sort(coll.distinct(link.evidence_days)),
    full_from = $day - $settings.evidence_full_days,
    half_from = $day - $settings.evidence_half_days,
    min_strength = $settings.band_strength, min_evidence = $settings.band_evidence
LET evidence = coll.min([
      $settings.evidence_cap,
      0.5 * size([day IN link.evidence_days WHERE day >= full_from])
        + 0.5 * size([day IN link.evidence_days WHERE day >= half_from])
    ]),
    gaps = [i IN range(1, size(days) - 1) | toFloat(days[i] - days[i - 1])]
LET mean = reduce(total = 0.0, gap IN gaps | total + gap) / coll.max([1, size(gaps)])
LET variance = CASE WHEN size(gaps) < 2 THEN 0.0
      ELSE reduce(total = 0.0, gap IN gaps | total + (gap - mean) ^ 2) / (size(gaps) - 1) END
LET irregularity = CASE WHEN variance > 0.0 THEN variance / (variance + mean ^ 2) ELSE 0.0 END
// 2. State.
LET state = CASE
      WHEN asleep OR (before = 'DORMANT' AND NOT $wake) THEN 'DORMANT'
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
LET rank = coll.indexOf(['DORMANT', 'NASCENT', 'FORMING', 'WEAK', 'MODERATE', 'STRONG'], state)
// 3. Confidence and block.
LET confidence = CASE link.type_source
        WHEN 'USER' THEN $settings.user_confidence
        WHEN 'DEFAULT' THEN $settings.default_confidence
        ELSE $settings.base_confidence[kind] END
      * coll.min([evidence / $settings.evidence_saturation, 1.0])
      * (1.0 - irregularity),
    holds = kind = 'BLOCKS' AND state <> 'DORMANT'
      AND strength + 1e-9 >= $settings.block_release
      AND (coalesce(link.block_active, false) OR rank >= 3)
// 4. Changes.
SET link.evidence_eff = evidence, link.evidence_recount_day = null,
    link.irregularity = irregularity, link.confidence = confidence,
    link.state = state, link.state_rank = rank,
    link.engaged_state = CASE WHEN $engaged AND rank > 0 THEN state ELSE link.engaged_state END,
    link.dormant_since = CASE WHEN rank = 0 THEN coalesce(link.dormant_since, $day) END,
    link.dormant_reason = CASE
      WHEN rank > 0 THEN null
      WHEN asleep AND ($wake OR link.dormant_reason IS NULL) THEN 'STAR'
      ELSE link.dormant_reason END,
    link.block_active = holds,
    link.blocked_since = CASE WHEN holds THEN coalesce(link.blocked_since, $day) END,
    link.caption = toString(round(strength, 2)) + ' ' + state
FOREACH (_ IN CASE WHEN state <> before THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: link.pair_key, at: $at, day: $day,
    field: 'state', `from`: before, to: state, strength: strength, rule: $rule,
    caption: before + ' > ' + state
  })
)

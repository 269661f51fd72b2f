// Says anew what connections are worth: effective evidence, confidence (S-5), state (S-6), block.
//
// After evidence, a change of type, a denial, or the waking of a star. A connection that sleeps
// goes on sleeping unless it is woken; one with a sleeping star always sleeps.
//
// Parameters: $rows, $settings, $realm
// Returns: pair_key, state
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (a:Star {realm: $realm, id: row.lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (b:Star {realm: $realm, id: row.upper})
LET s = r.strength, was = r.state, days = coll.sort(coll.distinct(r.ev_days)),
    asleep = a.state = 'DORMANT' OR b.state = 'DORMANT',
    e = coll.min([$settings.evidence_cap, reduce(e = 0.0, d IN r.ev_days | e + CASE
      WHEN row.day - d <= $settings.evidence_full_days THEN 1.0
      WHEN row.day - d <= $settings.evidence_half_days THEN 0.5 ELSE 0.0 END)])
LET gaps = [i IN range(1, size(days) - 1) | toFloat(days[i] - days[i - 1])]
LET mean = reduce(t = 0.0, g IN gaps | t + g) / coll.max([1, size(gaps)])
LET spread = CASE WHEN size(gaps) < 2 THEN 0.0
      ELSE reduce(t = 0.0, g IN gaps | t + (g - mean) ^ 2) / (size(gaps) - 1) END
LET irregularity = CASE WHEN spread > 0.0 THEN spread / (spread + mean ^ 2) ELSE 0.0 END,
    base = CASE r.type_source WHEN 'USER' THEN $settings.user_confidence
      WHEN 'DEFAULT' THEN $settings.default_confidence
      ELSE $settings.base_confidence[type(r)] END,
    // rounding must not decide about a band: a billionth below its edge is in it
    level = s + 1e-9, low = $settings.band_strength, few = $settings.band_evidence
LET state = CASE
      WHEN asleep OR (was = 'DORMANT' AND NOT row.wake) THEN 'DORMANT'
      WHEN level >= low.STRONG AND e >= few.STRONG THEN 'STRONG'
      WHEN level >= low.MODERATE AND e >= few.MODERATE THEN 'MODERATE'
      WHEN level >= low.WEAK AND e >= few.WEAK THEN 'WEAK'
      WHEN level >= low.FORMING AND e >= few.FORMING THEN 'FORMING'
      ELSE 'NASCENT' END
LET rank = CASE state WHEN 'STRONG' THEN 5 WHEN 'MODERATE' THEN 4 WHEN 'WEAK' THEN 3
      WHEN 'FORMING' THEN 2 WHEN 'NASCENT' THEN 1 ELSE 0 END
SET r.evidence_eff = e, r.evidence_turns = null, r.irregularity = irregularity, r.state = state, r.state_rank = rank,
    r.confidence = base * coll.min([e / $settings.evidence_saturation, 1.0]) * (1.0 - irregularity),
    r.engaged_state = CASE WHEN row.engaged AND rank > 0 THEN state ELSE r.engaged_state END,
    r.dormant_since = CASE WHEN rank = 0 THEN coalesce(r.dormant_since, row.day) END,
    r.dormant_reason = CASE WHEN rank > 0 THEN null WHEN asleep AND (row.wake OR r.dormant_reason IS NULL) THEN 'STAR'
      ELSE r.dormant_reason END,
    r.block_active = type(r) = 'BLOCKS' AND rank > 0 AND level >= $settings.block_release
      AND (r.block_active OR rank >= 3),
    r.blocked_since = CASE WHEN r.block_active THEN coalesce(r.blocked_since, row.day) END,
    r.caption = toString(round(s, 2)) + ' ' + state
FOREACH (_ IN CASE WHEN state <> was THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: r.pair_key, at: row.at, day: row.day,
    field: 'state', `from`: was, to: state, strength: s, rule: row.rule,
    caption: was + ' > ' + state
  })
)
RETURN r.pair_key AS pair_key, state

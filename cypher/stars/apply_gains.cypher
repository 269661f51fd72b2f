// Counts evidence: its gain, the connection's ledger of the day, its strength.
//
// Formulas:
//   gain    = impact * weight * multiplier * confidence * fresh                         S-8, D-4
//             (fresh: stale_factor after evidence within fresh_days, else 1)            S-9
//             * soft_cap / connections of young connections above the soft cap          S-30
//   total   = sum of the day's gains, largest first, times 1, 0.6, 0.3, 0.1, 0.1 ...    S-10, D-7
//   applied = min(total, daily_strength_cap - bonus) - gained earlier today, or 0       S-12
// The ledger keeps raw gains, and each arrival ranks them anew: so the order of arrival does not
// matter, nor does a retry.
//
// Parameters: $rows, $settings, $realm
// Returns: id (evidence id), capped (the daily cap was hit)
// Access: write

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (lower:Star {realm: $realm, id: row.lower})
        -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
        (upper:Star {realm: $realm, id: row.upper})
  // The day's ledger, and the number of awake connections where the soft cap counts.
  LET same_day = coalesce(link.gains_day = row.day, false),
      is_fresh = coalesce(row.day - link.gains_day >= $settings.fresh_days, true),
      bonus = CASE link.bonus_day WHEN row.day THEN link.bonus_today ELSE 0.0 END,
      connections = CASE WHEN link.state IN ['NASCENT', 'FORMING'] THEN coll.max([
        COUNT { (lower)
          -[any:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
          WHERE any.state <> 'DORMANT' },
        COUNT { (upper)
          -[any:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
          WHERE any.state <> 'DORMANT' }
      ]) - CASE WHEN row.creating THEN 1 ELSE 0 END ELSE 0 END
  // Gain of this piece, ranked among those of the day.
  LET gain = $settings.evidence_impact[row.type] * row.weight
      * CASE $settings.gain_mode
          WHEN 'seed' THEN $settings.evidence_multiplier[row.type] ELSE 1.0 END
      * CASE $settings.gain_mode
          WHEN 'canonical' THEN 1.0 ELSE $settings.evidence_confidence[row.type]
            * CASE WHEN is_fresh THEN 1.0 ELSE $settings.stale_factor END END
      * CASE WHEN connections > $settings.soft_cap
          THEN $settings.soft_cap / toFloat(connections) ELSE 1.0 END
  LET gains = CASE WHEN same_day THEN link.gains_today ELSE [] END + gain,
      gained = CASE WHEN same_day THEN link.strength_gained_today ELSE 0.0 END
  LET ranked = CASE $settings.diminishing
        WHEN 'sorted' THEN reverse(coll.sort(gains)) ELSE gains END
  LET total = reduce(subtotal = 0.0, i IN range(0, size(ranked) - 1) |
        subtotal + ranked[i] * $settings.diminishing_factors[CASE WHEN i < 3 THEN i ELSE 3 END])
  LET reached = coll.min([total, $settings.daily_strength_cap - bonus])
  LET applied = CASE WHEN reached > gained THEN reached - gained ELSE 0.0 END
  // Connection and record.
  SET link.strength = coll.min([1.0, link.strength + applied]),
      link.gains_day = row.day, link.gains_today = gains,
      link.strength_gained_today = gained + applied,
      link.evidence_count = link.evidence_count + 1,
      link.evidence_days = (
        [day IN link.evidence_days WHERE row.day - day <= $settings.evidence_half_days]
        + row.observed_day)[-toInteger(2 * $settings.evidence_cap)..],
      link.engaged_day = coll.max([link.engaged_day, row.day]),
      link.last_engaged = coll.max([link.last_engaged, row.recorded_at])
  MERGE (piece:Evidence {realm: $realm, id: row.id})
  SET piece += row {
        .pair_key, .type, .source, .observed_at, .recorded_at, .day, .observed_day, .weight
      },
      piece.counted = true, piece.pending = false, piece.fresh = is_fresh, piece.raw_gain = gain,
      piece.applied_gain = applied, piece.capped = total > reached, piece.caption = row.type
  RETURN total > reached AS capped
}
RETURN row.id AS id, capped

// Counts evidence: gain, the day's ledger, strength.
//
// The ledger of a connection and day keeps raw gains; each arrival ranks them anew, caps the total
// and adds what is new of it (S-8 to S-12). So the order of arrival does not matter, nor a retry.
//
// Parameters: $rows, $settings, $realm
// Returns: id, raw_gain, applied_gain, capped
// Access: write

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (a:Star {realm: $realm, id: row.lower})
        -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
        (b:Star {realm: $realm, id: row.upper})
  LET same_day = coalesce(r.gains_day = row.day, false),
      fresh = coalesce(row.day - r.gains_day >= $settings.fresh_days, true),
      bonus = CASE r.bonus_day WHEN row.day THEN r.bonus_today ELSE 0.0 END,
      crowd = CASE WHEN r.state IN ['NASCENT', 'FORMING'] THEN coll.max([
        COUNT { (a)-[x:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
                WHERE x.state <> 'DORMANT' },
        COUNT { (b)-[x:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
                WHERE x.state <> 'DORMANT' }
      ]) - CASE WHEN row.creating THEN 1 ELSE 0 END ELSE 0 END
  LET gain = $settings.evidence_impact[row.type] * row.weight
      * CASE $settings.gain_mode WHEN 'seed' THEN $settings.evidence_multiplier[row.type] ELSE 1.0 END
      * CASE $settings.gain_mode
          WHEN 'canonical' THEN 1.0 ELSE $settings.evidence_confidence[row.type]
            * CASE WHEN fresh THEN 1.0 ELSE $settings.stale_factor END
        END
      * CASE WHEN crowd > $settings.soft_cap THEN $settings.soft_cap / toFloat(crowd) ELSE 1.0 END
  LET gains = CASE WHEN same_day THEN r.gains_today ELSE [] END + gain,
      gained = CASE WHEN same_day THEN r.strength_gained_today ELSE 0.0 END
  LET ranked = CASE $settings.diminishing
        WHEN 'sorted' THEN reverse(coll.sort(gains)) ELSE gains END
  LET total = reduce(t = 0.0, i IN range(0, size(ranked) - 1) |
        t + ranked[i] * $settings.diminishing_factors[CASE WHEN i < 3 THEN i ELSE 3 END])
  LET reached = coll.min([total, $settings.daily_strength_cap - bonus])
  LET applied = CASE WHEN reached > gained THEN reached - gained ELSE 0.0 END
  SET r.strength = coll.min([1.0, r.strength + applied]),
      r.gains_day = row.day, r.gains_today = gains, r.strength_gained_today = gained + applied,
      r.evidence_count = r.evidence_count + 1,
      r.ev_days = ([d IN r.ev_days WHERE row.day - d <= $settings.evidence_half_days]
                   + row.observed_day)[-toInteger(2 * $settings.evidence_cap)..],
      r.engaged_day = coll.max([r.engaged_day, row.day]),
      r.last_engaged = coll.max([r.last_engaged, row.recorded_at])
  MERGE (e:Evidence {realm: $realm, id: row.id})
  SET e += row {.pair_key, .type, .source, .observed_at, .recorded_at, .day, .observed_day, .weight},
      e.counted = true, e.pending = false, e.fresh = fresh, e.raw_gain = gain,
      e.applied_gain = applied, e.capped = total > reached, e.caption = row.type
  RETURN gain, applied, total > reached AS capped
}
RETURN row.id AS id, gain AS raw_gain, applied AS applied_gain, capped

// Step of a close: what the neighbours do to each star, and how it ends the day.
//
// S-21 to S-29 from one frozen picture: the changes, ceilings and states that own.cypher left.
// Summed per star, capped, applied once; then brightness, variance (B-3), calm days (B-4), history
// and, kept for the last step, the state it will take. Comparisons allow for 1e-9 of rounding.
//
// Parameters: $day, $settings, $realm
// Returns: stars
// Access: batch

CYPHER 25
MATCH (t:Star) WHERE t.realm = $realm AND t.bucket >= 0
CALL (t) {
  WITH t WHERE t.hist_end_day < $day
  OPTIONAL MATCH (t)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(o:Star)
  WHERE r.state_rank >= 2 AND t.state <> 'DORMANT' AND o.state <> 'DORMANT'
  LET s = r.strength, kind = type(r)
  WITH t,
    sum(CASE kind WHEN 'RESONANCE' THEN o.own_delta * $settings.spillover * s
      * CASE WHEN o.own_delta > 0 THEN 1.0 ELSE $settings.falling_factor END END) AS spills,
    sum(CASE
      WHEN kind = 'TENSION' AND o.own_delta > $settings.tension_activation + 1e-9
        THEN o.own_delta * $settings.tension_drain * s
      WHEN kind = 'SHADOW_MIRROR' AND o.state = 'DARK' THEN $settings.shadow_drain * s
        * coll.min([1.0 - o.own_brightness, $settings.dark_intensity_cap])
    END) AS drains,
    max(CASE WHEN kind = 'GROWTH_EDGE' AND o.state = 'BRIGHT' AND startNode(r) = o
      THEN $settings.growth_boost * s END) AS boost
  CALL (t) {
    MATCH path = (t)-[links:RESONANCE*2..3]-(o:Star)
    WHERE length(path) <= $settings.cascade_hops AND t.state <> 'DORMANT' AND all(r IN links WHERE r.state_rank >= 2)
      AND all(n IN nodes(path)[1..] WHERE n.state <> 'DORMANT' AND n <> t) AND NOT o IN nodes(path)[..-1]
    RETURN sum(reduce(e = o.own_delta * $settings.spillover * $settings.hop_factor ^ (length(path) - 1), r IN links | e * r.strength)
      * CASE WHEN o.own_delta > 0 THEN 1.0 ELSE $settings.falling_factor END) AS cascades
  }
  LET b = t.brightness, top = t.effective_max, idle = $day - t.engaged_day,
      cap = $settings.spill_cap, up = $settings.bright_from - 1e-9, low = $settings.dim_below - 1e-9
  LET spill = coll.max([-cap, coll.min([cap, toFloat(spills) + cascades])])
  LET before = b + coalesce(t.own_unclamped, t.own_delta) + spill
  LET drain = coll.min([toFloat(drains), $settings.drain_cap,
        coll.max([0.0, before - $settings.hope_floor])])
  LET now = coll.max([$settings.brightness_floor, coll.min([top, before - drain])])
  LET variance = coll.max([0.0, coll.min([1.0, $settings.variance_weight * abs(now - b)
        + (1.0 - $settings.variance_weight) * t.variance])])
  LET run = CASE
        WHEN variance >= $settings.calm_variance - 1e-9 OR (now >= low AND now < up) THEN 0
        WHEN (now >= up AND b >= up) OR (now < low AND b < low) THEN t.run_days + 1 ELSE 1 END
  LET settled = run >= $settings.calm_days
  LET state = CASE
        WHEN t.state = 'DORMANT' OR idle >= $settings.star_dormancy[t.state] THEN 'DORMANT'
        WHEN t.is_anti_pattern OR t.contradictions >= $settings.dark_contradictions THEN 'DARK'
        WHEN t.state = 'NASCENT' THEN 'NASCENT'
        WHEN variance > $settings.flickering_variance + 1e-9 THEN 'FLICKERING'
        WHEN (settled AND now >= up) OR (t.state = 'BRIGHT' AND now >= low) THEN 'BRIGHT'
        WHEN (settled AND now < low) OR t.state IN ['BRIGHT', 'DIM'] THEN 'DIM'
        ELSE 'FLICKERING' END
  SET t.previous_brightness = b, t.brightness = now, t.variance = variance, t.run_days = run,
      t.impact_multiplier = 1.0 + coalesce(boost, 0.0),
      t.spill = spill, t.drain = drain, t.hist_end_day = $day,
      t.hist = (t.hist + now)[-$settings.history_days..],
      t.next_state = CASE WHEN state <> t.state THEN state END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(t) AS stars

// Applies the effects of its neighbours to each star, and ends its day: a step of a close.
//
// Formulas, from the frozen picture that apply_own_day left, of neighbours from FORMING up:
//   spill    = sum of own change * spillover * strength over RESONANCE, falling ones    S-21, S-29
//              times falling_factor, within -spill_cap and spill_cap
//   drain    = sum of own rise * tension_drain * strength over TENSION                  S-22
//              + shadow_drain * strength * (1 - brightness) over DARK neighbours,       S-26
//              at most drain_cap                                                        S-29
//   cascade  = spill over 2 or 3 hops, each times hop_factor and strength               D-46
//   now      = clamp(brightness + own change + spill - drain, lowest, ceiling)          B-1
//   variance = weight * |now - before| + (1 - weight) * variance                        B-3
//   run_days = calm days in a row inside the band of BRIGHT, or of DIM                  B-4
//   boost    = growth_boost * greatest strength of a GROWTH_EDGE from a BRIGHT star     S-25, S-29
// Values within 1e-9 of a threshold have reached it. The state it takes is stored as next_state
// and applied by apply_states, after every star has read the states of its neighbours.
//
// Parameters: $day, $settings, $realm
// Returns: nothing
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
CALL (star) {
// 1. Sums over the neighbours that act.
  WITH star WHERE star.closed_day < $day
  OPTIONAL MATCH (star)
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(neighbour:Star)
  WHERE link.state_rank >= 2 AND star.state <> 'DORMANT' AND neighbour.state <> 'DORMANT'
  LET strength = link.strength, kind = type(link), moved = neighbour.own_change
  WITH star,
    sum(CASE kind WHEN 'RESONANCE' THEN moved * $settings.spillover * strength
        * CASE WHEN moved > 0 THEN 1.0 ELSE $settings.falling_factor END END) AS spills,
    sum(CASE
        WHEN kind = 'TENSION' AND moved > $settings.tension_activation + 1e-9
          THEN moved * $settings.tension_drain * strength
        WHEN kind = 'SHADOW_MIRROR' AND neighbour.state = 'DARK'
          THEN $settings.shadow_drain * strength
            * coll.min([1.0 - neighbour.own_brightness, $settings.dark_intensity_cap])
        END) AS drains,
    max(CASE WHEN kind = 'GROWTH_EDGE' AND neighbour.state = 'BRIGHT'
          AND startNode(link) = neighbour THEN $settings.growth_boost * strength END) AS boost
// 2. Spill over further hops, where a setting allows it.
  CALL (star) {
    MATCH path = (star)-[links:RESONANCE*2..3]-(far:Star)
    WHERE length(path) <= $settings.cascade_hops AND star.state <> 'DORMANT'
      AND all(link IN links WHERE link.state_rank >= 2)
      AND all(hop IN nodes(path)[1..] WHERE hop.state <> 'DORMANT' AND hop <> star)
      AND NOT far IN nodes(path)[..-1]
    LET first = far.own_change * $settings.spillover * $settings.hop_factor ^ (length(path) - 1)
    RETURN sum(reduce(effect = first, link IN links | effect * link.strength)
      * CASE WHEN far.own_change > 0 THEN 1.0 ELSE $settings.falling_factor END) AS cascades
  }
// 3. Brightness, variance and calm days.
  LET old = star.brightness, cap = $settings.spill_cap,
      bright_from = $settings.bright_from - 1e-9, dim_below = $settings.dim_below - 1e-9
  LET spill = coll.max([-cap, coll.min([cap, toFloat(spills) + cascades])])
  LET raised = old + coalesce(star.own_change_unclamped, star.own_change) + spill
  LET drain = coll.min([toFloat(drains), $settings.drain_cap,
        coll.max([0.0, raised - $settings.hope_floor])])
  LET now = coll.max([$settings.brightness_floor, coll.min([star.effective_max, raised - drain])])
  LET variance = coll.max([0.0, coll.min([1.0, $settings.variance_weight * abs(now - old)
        + (1.0 - $settings.variance_weight) * star.variance])])
  LET run_days = CASE
        WHEN variance >= $settings.calm_variance - 1e-9 OR (now >= dim_below AND now < bright_from)
          THEN 0
        WHEN (now >= bright_from AND old >= bright_from) OR (now < dim_below AND old < dim_below)
          THEN star.run_days + 1
        ELSE 1
      END
// 4. State, in the order in which the conditions count.
  LET settled = run_days >= $settings.calm_days, idle = $day - star.engaged_day
  LET state = CASE
        WHEN star.state = 'DORMANT' OR idle >= $settings.star_dormancy[star.state] THEN 'DORMANT'
        WHEN star.is_anti_pattern OR star.contradictions >= $settings.dark_contradictions
          THEN 'DARK'
        WHEN star.state = 'NASCENT' THEN 'NASCENT'
        WHEN variance > $settings.flickering_variance + 1e-9 THEN 'FLICKERING'
        WHEN (settled AND now >= bright_from) OR (star.state = 'BRIGHT' AND now >= dim_below)
          THEN 'BRIGHT'
        WHEN (settled AND now < dim_below) OR star.state IN ['BRIGHT', 'DIM'] THEN 'DIM'
        ELSE 'FLICKERING'
      END
  SET star.previous_brightness = old, star.brightness = now, star.variance = variance,
      star.run_days = run_days, star.impact_multiplier = 1.0 + coalesce(boost, 0.0),
      star.spill = spill, star.drain = drain, star.closed_day = $day,
      star.daily_closes = (star.daily_closes + now)[-$settings.history_days..],
      star.next_state = CASE WHEN state <> star.state THEN state END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL

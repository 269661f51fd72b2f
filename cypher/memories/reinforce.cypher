// Applies a batch to its memories: every kind of memory, any number of steps on each.
//
// A step builds on the decay committed by the latest pass (its `passed`), comes back from the
// archive if the memory has faded below its end, or, late, adds what would be left of it. What is
// archived as a duplicate stays there.
//
// A price level's strength and confidence when it is made, and what its evidence adds, follow from
// the settings: `creation` says which kind of evidence made it and how much, `boosts`, `extras`,
// `seconds` and `usd` what a step brings, `visits` how many rejections there are.
//
// Parameters: $realm, $now, $settings, $label, $rows
// Returns: id, made, trail
// Access: write

CYPHER 25
// 1. The memory, locked; a level that is made has the base and slope of its kind of evidence, what
//    waits of the others, and decay if it is overdue.
UNWIND $rows AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m += row.fixed, m:$($label)
SET m.locked_at = $now
SET m += row.start
WITH m, row, row.creation AS new
WITH m, row, new, CASE new.kind
    WHEN 'persistence' THEN $settings.persistence_strength_base
      + $settings.persistence_strength_per_sec * new.amount
    WHEN 'execution' THEN $settings.execution_strength_base
      + $settings.execution_strength_per_1k * new.amount / 1000
    WHEN 'liquidation' THEN $settings.liquidation_strength_base
      + $settings.liquidation_strength_per_event * new.amount
    WHEN 'rejection' THEN $settings.rejection_strength END AS own,
  CASE WHEN m.rate * new.behind < 1e6 THEN 1 - m.rate * new.behind / 1e6 ELSE 0.0 END AS left
WITH m, row, new, left, CASE WHEN own < 1 THEN own ELSE 1.0 END + $settings.carry * new.carried AS own
WITH m, row, new, CASE WHEN own < 1 THEN own ELSE 1.0 END * left AS made
FOREACH (made_of IN CASE WHEN new IS NULL THEN [] ELSE [new] END |
  SET m.strength = made, m.anchor = made_of.anchor, m.confidence = CASE made_of.kind
    WHEN 'persistence' THEN $settings.persistence_confidence
    WHEN 'execution' THEN $settings.execution_confidence
    WHEN 'liquidation' THEN $settings.liquidation_confidence ELSE 0.0 END)
// 2. Each step in its order: how much decay has left, what it brings, and what follows.
WITH m, row, made, row.steps AS steps, m.rate / 1e6 AS rate, m.decay = 'linear' AS linear,
     m.archive_below - 1e-12 AS least
WITH m, row, made, reduce(x = {s: m.strength, l: m.anchor, r: 0, trail: []}, step IN steps |
  [f IN [[idle IN [abs(step.at - x.l), CASE WHEN step.passed > x.l THEN step.passed - x.l ELSE 0 END] |
      CASE WHEN NOT linear THEN exp(-rate * idle)
           WHEN rate * idle < 1 THEN 1 - rate * idle ELSE 0.0 END] +
      (step.gain + step.boosts * $settings.boost + step.extras * $settings.liq_extra
       + step.seconds * $settings.persistence_strength_per_sec
       + step.usd * $settings.execution_strength_per_1k / 1000)] |
    [y IN [CASE
        WHEN step.at < x.l THEN {s: x.s + f[2] * f[0], l: x.l, r: x.r}
        WHEN x.s * f[0] < least THEN {l: step.at, r: x.r + 1, s: x.s * f[0] + $settings.revive + CASE
          WHEN step.boosts > 0 THEN f[2] - $settings.boost
          WHEN step.extras > 0 THEN f[2] - $settings.liq_extra
          ELSE f[2] - step.gain + step.rest END}
        WHEN step.keep THEN {s: x.s + f[2], l: step.at, r: x.r}
        ELSE {s: x.s * f[1] + f[2], l: step.at, r: x.r}
      END] |
      {s: CASE WHEN y.s < 1 THEN y.s ELSE 1.0 END, l: y.l, r: y.r,
       trail: x.trail + CASE WHEN y.s < 1 THEN y.s ELSE 1.0 END}
    ][0]
  ][0]) AS x
// 3. What follows from the new strength and the counters.
SET m.strength = x.s, m.anchor = x.l, m += row.puts
FOREACH (add IN row.adds | SET m[add.name] = coalesce(m[add.name], 0) + add.by)
SET m.resurrection_count = coalesce(m.resurrection_count, 0) + x.r,
    m.confidence = CASE
      WHEN row.visits IS NULL THEN m.confidence
      ELSE [sure IN [$settings.rejection_confidence_base
                     + $settings.rejection_confidence_per_visit * row.visits] |
        CASE WHEN sure < m.confidence THEN m.confidence WHEN sure < 1 THEN sure ELSE 1.0 END][0] END,
    m.caption = CASE WHEN row.title = '' THEN m.caption
                     ELSE row.title + ' ' + toString(round(m.strength, 2)) END,
    m.archived_at = null,
    m.archive_at = CASE
      WHEN m.state IN ['pending', 'duplicate'] THEN null
      WHEN m.strength <= m.archive_below THEN m.anchor
      ELSE toInteger(ceil((m.anchor + 1e6 / m.rate * CASE
             WHEN m.decay = 'linear' THEN 1 - m.archive_below / m.strength
             ELSE log(m.strength / m.archive_below) END) / 6e7)) * 60000000 END
REMOVE m:Archived
FOREACH (same IN CASE WHEN m.state = 'duplicate' THEN [m] ELSE [] END | SET same:Archived)
RETURN m.id AS id, made, x.trail AS trail

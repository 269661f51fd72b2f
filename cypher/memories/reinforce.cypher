// Applies a batch to its memories: every kind of memory, any number of steps on each.
//
// A step builds on the decay committed by the latest pass (its `passed`), comes back from the
// archive if the memory has faded below its end, or, late, adds what would be left of it. What is
// archived as a duplicate stays there.
//
// Parameters: $realm, $now, $settings, $label, $rows
// Returns: id, trail
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m += row.fixed, m:$($label)
SET m.locked_at = $now
SET m += row.start
WITH m, row, row.steps AS steps, m.rate / 1e6 AS rate, m.decay = 'linear' AS linear,
     m.archive_below - 1e-12 AS least
WITH m, row, reduce(x = {s: m.strength, l: m.anchor, r: 0, trail: []}, step IN steps |
  [f IN [[idle IN [abs(step.at - x.l), CASE WHEN step.passed > x.l THEN step.passed - x.l ELSE 0 END] |
      CASE WHEN NOT linear THEN exp(-rate * idle)
           WHEN rate * idle < 1 THEN 1 - rate * idle ELSE 0.0 END]] |
    [y IN [CASE
        WHEN step.at < x.l THEN {s: x.s + step.gain * f[0], l: x.l, r: x.r}
        WHEN x.s * f[0] < least THEN {s: x.s * f[0] + $settings.revive + step.rest, l: step.at, r: x.r + 1}
        WHEN step.keep THEN {s: x.s + step.gain, l: step.at, r: x.r}
        ELSE {s: x.s * f[1] + step.gain, l: step.at, r: x.r}
      END] |
      {s: CASE WHEN y.s < 1 THEN y.s ELSE 1.0 END, l: y.l, r: y.r,
       trail: x.trail + CASE WHEN y.s < 1 THEN y.s ELSE 1.0 END}
    ][0]
  ][0]) AS x
SET m.strength = x.s, m.anchor = x.l, m += row.puts
FOREACH (add IN row.adds | SET m[add.name] = coalesce(m[add.name], 0) + add.by)
SET m.resurrection_count = coalesce(m.resurrection_count, 0) + x.r,
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
RETURN m.id AS id, x.trail AS trail

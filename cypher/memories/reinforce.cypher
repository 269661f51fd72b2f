// Applies a batch of evidence to its memories: of every kind, any number of steps on each.
//
// A price level is created by one kind of evidence, `creation.kind`, with this strength, at most 1,
// multiplied by the decay of late evidence (`creation.late_by`):
//   persistence  persistence_strength_base + persistence_strength_per_sec * seconds
//   execution    execution_strength_base + execution_strength_per_1k * usd / 1000
//   liquidation  liquidation_strength_base + liquidation_strength_per_event * count
//   rejection    rejection_strength
//   each         + carry * shares of their minimum that other kinds have (`creation.shares`)
//
// A step adds a gain, at most up to 1:
//   gain = step.gain + boost * boosts + liq_extra * further_liquidations
//          + persistence_strength_per_sec * seconds + execution_strength_per_1k * usd / 1000
//   late evidence           strength + gain * decay(to the last interaction)
//   after the archive       strength * decay(now) + revive + gain of all but the first part
//   of what never left      strength + gain
//   else                    strength * decay(to the last decay pass) + gain
//   decay(time) = max(0, 1 - rate * time) if linear, else exp(-rate * time)
//
// Confidence of a level follows from its rejections: at least rejection_confidence_base
// + rejection_confidence_per_visit * rejection_count. A duplicate stays in the archive.
//
// Parameters: $realm, $now, $settings, $label, $rows
// Returns: id (id of the memory),
//   created_strength (of a level that this batch created, or the initial one),
//   strengths (after each step)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
// 1. The memory, created if it is new, and the strength that its kind of evidence gives a level.
UNWIND $rows AS row
MERGE (memory:Memory {realm: $realm, id: row.id})
ON CREATE SET memory += row.on_create, memory:$($label)
SET memory.locked_at = $now
WITH memory, row, row.creation AS creation
WITH memory, row, creation, CASE creation.kind
    WHEN 'persistence' THEN $settings.persistence_strength_base
      + $settings.persistence_strength_per_sec * creation.amount
    WHEN 'execution' THEN $settings.execution_strength_base
      + $settings.execution_strength_per_1k * creation.amount / 1000
    WHEN 'liquidation' THEN $settings.liquidation_strength_base
      + $settings.liquidation_strength_per_event * creation.amount
    WHEN 'rejection' THEN $settings.rejection_strength END AS by_kind,
  CASE WHEN memory.rate * creation.late_by < 1e6
       THEN 1 - memory.rate * creation.late_by / 1e6 ELSE 0.0 END AS decay
WITH memory, row, creation, decay,
     CASE WHEN by_kind < 1 THEN by_kind ELSE 1.0 END + $settings.carry * creation.shares AS full
WITH memory, row, creation, CASE WHEN full < 1 THEN full ELSE 1.0 END * decay AS created_strength
FOREACH (_ IN CASE WHEN creation IS NOT NULL THEN [1] ELSE [] END |
  SET memory.strength = created_strength, memory.anchor = creation.anchor,
      memory.confidence = CASE creation.kind
        WHEN 'persistence' THEN $settings.persistence_confidence
        WHEN 'execution' THEN $settings.execution_confidence
        WHEN 'liquidation' THEN $settings.liquidation_confidence ELSE 0.0 END)
// 2. The steps in their order. Of each: [decay to now, decay to the last pass, gain], then the
//    state that follows, then its strength cut at 1.
WITH memory, row, coalesce(created_strength, row.on_create.strength) AS created_strength,
     memory.rate / 1e6 AS rate, memory.decay = 'linear' AS is_linear,
     memory.archive_below - 1e-12 AS archive_limit
WITH memory, row, created_strength, reduce(
  state = {strength: memory.strength, anchor: memory.anchor, revivals: 0, strengths: []},
  step IN row.steps |
  [parts IN [
      [idle IN [abs(step.at - state.anchor),
                CASE WHEN step.last_pass > state.anchor
                     THEN step.last_pass - state.anchor ELSE 0 END] |
        CASE WHEN NOT is_linear THEN exp(-rate * idle)
             WHEN rate * idle < 1 THEN 1 - rate * idle ELSE 0.0 END] +
      (step.gain + step.boosts * $settings.boost
       + step.further_liquidations * $settings.liq_extra
       + step.seconds * $settings.persistence_strength_per_sec
       + step.usd * $settings.execution_strength_per_1k / 1000)] |
    [next IN [CASE
        WHEN step.at < state.anchor
        THEN {strength: state.strength + parts[2] * parts[0],
              anchor: state.anchor, revivals: state.revivals}
        WHEN state.strength * parts[0] < archive_limit
        THEN {strength: state.strength * parts[0] + $settings.revive + CASE
                WHEN step.boosts > 0 THEN parts[2] - $settings.boost
                WHEN step.further_liquidations > 0 THEN parts[2] - $settings.liq_extra
                ELSE parts[2] - step.gain + step.revival_gain END,
              anchor: step.at, revivals: state.revivals + 1}
        WHEN step.skip_decay
        THEN {strength: state.strength + parts[2], anchor: step.at, revivals: state.revivals}
        ELSE {strength: state.strength * parts[1] + parts[2],
              anchor: step.at, revivals: state.revivals}
      END] |
      {strength: CASE WHEN next.strength < 1 THEN next.strength ELSE 1.0 END,
       anchor: next.anchor, revivals: next.revivals,
       strengths: state.strengths + CASE WHEN next.strength < 1 THEN next.strength ELSE 1.0 END}
    ][0]
  ][0]) AS result
// 3. Strength, counters and confidence.
SET memory.strength = result.strength, memory.anchor = result.anchor, memory += row.updates
FOREACH (counter IN row.increments |
  SET memory[counter.name] = coalesce(memory[counter.name], 0) + counter.by)
SET memory.resurrection_count = coalesce(memory.resurrection_count, 0) + result.revivals,
    memory.confidence = CASE
      WHEN row.rejection_count IS NULL THEN memory.confidence
      ELSE [sure IN [$settings.rejection_confidence_base
                     + $settings.rejection_confidence_per_visit * row.rejection_count] |
        CASE WHEN sure < memory.confidence THEN memory.confidence
             WHEN sure < 1 THEN sure ELSE 1.0 END][0] END,
    memory.caption = CASE WHEN row.title = '' THEN memory.caption
                          ELSE row.title + ' ' + toString(round(memory.strength, 2)) END,
// 4. The time of archiving, rounded up to the minute so that the index seldom changes.
    memory.archived_at = null,
    memory.archive_at = CASE
      WHEN memory.state IN ['pending', 'duplicate'] THEN null
      WHEN memory.strength <= memory.archive_below THEN memory.anchor
      ELSE toInteger(ceil((memory.anchor + 1e6 / memory.rate * CASE
             WHEN memory.decay = 'linear' THEN 1 - memory.archive_below / memory.strength
             ELSE log(memory.strength / memory.archive_below) END) / 6e7)) * 60000000 END
REMOVE memory:Archived
FOREACH (_ IN CASE WHEN memory.state = 'duplicate' THEN [1] ELSE [] END | SET memory:Archived)
RETURN memory.id AS id, created_strength, result.strengths AS strengths

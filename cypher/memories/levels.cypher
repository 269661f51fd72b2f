// Returns remembered prices of a symbol, as of a time, strongest first.
//
// One row with a list: a row of its own for each level would be read from the wire one by one.
//
// Parameters: $realm, $settings, $symbol, $first_cell, $last_cell, $low, $high, $side, $minimum,
//   $moment, $limit
// Returns: levels (a memory with its properties, and its strength, each)
// Access: read

CYPHER 25
// Levels that are created, in this range of prices and at this side.
MATCH (level:Memory {realm: $realm, symbol: $symbol})
WHERE level.bucket >= $first_cell AND level.bucket <= $last_cell
  AND level.center_ticks >= $low AND level.center_ticks <= $high
  AND level.state = 'live' AND ($side IS NULL OR level.side = $side OR level.side = 'both')
// Strength and time of the last interaction: before the newest evidence, from the log.
CALL (level) {
  WITH level WHERE level.anchor <= $moment
  RETURN level.strength AS strength, level.anchor AS anchor
UNION ALL
  WITH level WHERE level.anchor > $moment
  MATCH (evidence:Evidence {realm: $realm, memory_id: level.id})
  WHERE evidence.moment <= $moment AND evidence.strength IS NOT NULL
  RETURN evidence.strength AS strength, evidence.moment AS anchor
  ORDER BY anchor DESC, evidence.number DESC LIMIT 1
}
// Decay since then; archived levels are left out.
WITH level, strength, ($moment - anchor) / 1e6 AS idle
WITH level, idle,
     strength * CASE WHEN level.rate * idle < 1 THEN 1 - level.rate * idle ELSE 0.0 END AS strength
WHERE strength >= level.archive_below - 1e-12 AND strength >= $minimum
WITH level {.*, embedding: null,
       dormant: strength < $settings.dormant_below OR idle > $settings.dormant_s} AS memory,
     strength
ORDER BY strength DESC, memory.center_ticks, memory.id
LIMIT $limit
RETURN collect({memory: memory, strength: strength}) AS levels

// Remembered prices of a symbol, as strong as they are at a time, strongest first.
//
// Before a memory's newest evidence its strength is that of the evidence before, from the log.
// One row with a list: a row of its own for each level would be read from the wire one by one.
//
// Parameters: $realm, $settings, $symbol, $first_cell, $last_cell, $low, $high, $side, $minimum, $moment, $limit
// Returns: levels
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, symbol: $symbol})
WHERE m.bucket >= $first_cell AND m.bucket <= $last_cell
  AND m.center_ticks >= $low AND m.center_ticks <= $high
  AND m.state = 'live' AND ($side IS NULL OR m.side = $side OR m.side = 'both')
CALL (m) {
  WITH m WHERE m.anchor <= $moment
  RETURN m.strength AS strength, m.anchor AS anchor
UNION ALL
  WITH m WHERE m.anchor > $moment
  MATCH (evidence:Evidence {realm: $realm, memory_id: m.id})
  WHERE evidence.moment <= $moment AND evidence.strength IS NOT NULL
  RETURN evidence.strength AS strength, evidence.moment AS anchor
  ORDER BY anchor DESC, evidence.number DESC LIMIT 1
}
WITH m, strength, ($moment - anchor) / 1e6 AS idle
WITH m, strength * CASE WHEN m.rate * idle < 1 THEN 1 - m.rate * idle ELSE 0.0 END AS strength, idle
WHERE strength >= m.archive_below - 1e-12 AND strength >= $minimum
WITH m {.*, embedding: null,
        dormant: strength < $settings.dormant_below OR idle > $settings.dormant_s} AS memory, strength
ORDER BY strength DESC, memory.center_ticks, memory.id
LIMIT $limit
RETURN collect({memory: memory, strength: strength}) AS levels

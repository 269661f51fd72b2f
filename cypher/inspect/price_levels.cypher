// The remembered prices of a symbol near a price, as strong as they were at a time.
//
// bps is how far to look, in hundredths of a percent of the price. Before a level's newest evidence
// its strength is that of the evidence before, from the log. What had faded by then is left out.
//
// Parameters: $realm, $symbol, $price, $bps, $at
// Returns: level (the level itself), price (center of the level), side (bid or ask or both),
//   strength (strength at that time from 0 to 1), volume_usd (USD executed of all time),
//   evidence (number of pieces)
// Access: read

:param realm => 'demo';
:param symbol => COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];
:param price => COLLECT { WITH COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0] AS chosen0 MATCH (m0:MarketLevel {realm: 'demo', symbol: chosen0}) RETURN toFloat(m0.center) ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];
:param bps => 500;
:param at => COLLECT { WITH COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0] AS chosen0 MATCH (m0:MarketLevel {realm: 'demo', symbol: chosen0}) RETURN datetime(m0.last_interaction) ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];

CYPHER 25
// levels near the price, with the time in microseconds, as the anchor and the log have it
MATCH (level:Memory {realm: $realm, symbol: $symbol})
WHERE level.bucket IS NOT NULL AND level.state = 'live'
  AND abs(toFloat(level.center) - $price) <= $price * $bps / 10000.0
WITH level, ($at.epochMillis * 1000 + $at.microsecond % 1000) AS moment
// start: the newest strength of the level up to then, and its time
CALL (level, moment) {
  WITH level, moment WHERE level.anchor <= moment
  RETURN level.strength AS start_strength, level.anchor AS anchor
UNION ALL
  WITH level, moment WHERE level.anchor > moment
  MATCH (evidence:Evidence {realm: $realm, memory_id: level.id})
  WHERE evidence.moment <= moment AND evidence.strength IS NOT NULL
  RETURN evidence.strength AS start_strength, evidence.moment AS anchor
  ORDER BY anchor DESC, evidence.number DESC LIMIT 1
}
// strength: what is left of it
WITH level, start_strength, level.rate * (moment - anchor) / 1000000.0 AS lost
WITH level, start_strength * CASE WHEN lost < 1 THEN 1 - lost ELSE 0.0 END AS strength
WHERE strength >= level.archive_below - 1e-12
RETURN level, level.center AS price, level.side AS side, round(strength, 4) AS strength,
       level.volume_usd AS volume_usd, level.interaction_count AS evidence
ORDER BY strength DESC, price
LIMIT 50

// The remembered prices of a symbol near a price, as strong as they were at a time.
//
// bps is how far to look, in hundredths of a percent of the price.
//
// Parameters: $realm, $symbol, $price, $bps, $at
// Returns: level, price, side, strength, volume_usd, evidence
// Access: read

:param realm => 'demo';
:param symbol => COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];
:param price => COLLECT { WITH COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0] AS chosen0 MATCH (m0:MarketLevel {realm: 'demo', symbol: chosen0}) RETURN toFloat(m0.center) ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];
:param bps => 500;
:param at => COLLECT { WITH COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.symbol ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0] AS chosen0 MATCH (m0:MarketLevel {realm: 'demo', symbol: chosen0}) RETURN datetime(m0.last_interaction) ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];

CYPHER 25
MATCH (level:Memory {realm: $realm, symbol: $symbol})
WHERE level.bucket IS NOT NULL AND level.state = 'live'
  AND abs(toFloat(level.center) - $price) <= $price * $bps / 10000.0
WITH level, ($at.epochMillis - level.anchor / 1000) / 1000.0 AS idle
WITH level, level.strength * CASE WHEN idle <= 0 THEN 1.0 WHEN level.rate * idle < 1
     THEN 1 - level.rate * idle ELSE 0.0 END AS strength
RETURN level, level.center AS price, level.side AS side, round(strength, 4) AS strength,
       level.volume_usd AS volume_usd, level.interaction_count AS evidence
ORDER BY strength DESC, price
LIMIT 50

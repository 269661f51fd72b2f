// Queues predictions: what moved today, and what it is known to move (S-23).
//
// Parameters: $day, $settings, $realm
// Returns: issued
// Access: write

CYPHER 25
MATCH (event:BrightnessEvent) WHERE event.realm = $realm AND event.day = $day
MATCH (a:Star {realm: $realm, id: event.star})-[r:CAUSATION]->(b:Star)
WHERE r.state_rank >= 2 AND r.mean_lag_h IS NOT NULL
  AND a.state <> 'DORMANT' AND b.state <> 'DORMANT'
MERGE (p:Prediction {realm: $realm, id: event.id + '>' + b.id})
ON CREATE SET p.pair_key = r.pair_key, p.cause = a.id, p.effect = b.id, p.status = 'OPEN',
  p.sign = coalesce(r.causation_sign, 1) * sign(event.delta), p.issued_at = event.at,
  p.expected_at = event.at + duration({seconds: r.mean_lag_h * 3600}),
  p.expires_at = event.at + duration({seconds: $settings.causation_hours * 3600}),
  p.confidence = r.strength * r.causation_confidence, p.caption = a.name + ' > ' + b.name
RETURN count(p) AS issued

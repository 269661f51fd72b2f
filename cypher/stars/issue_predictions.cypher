// Issues a prediction for each event of the day and each effect of its star (S-23).
//
// Formulas: expected_at = event + mean lag, sign = causation_sign * sign of the event,
// confidence = strength * causation confidence; it expires after causation_hours (D-48).
//
// Parameters: $day, $settings, $realm
// Returns: issued (number of predictions)
// Access: write

CYPHER 25
MATCH (event:BrightnessEvent) WHERE event.realm = $realm AND event.day = $day
MATCH (cause:Star {realm: $realm, id: event.star})-[link:CAUSATION]->(effect:Star)
WHERE link.state_rank >= 2 AND link.mean_lag_h IS NOT NULL
  AND cause.state <> 'DORMANT' AND effect.state <> 'DORMANT'
MERGE (prediction:Prediction {realm: $realm, id: event.id + '>' + effect.id})
ON CREATE SET prediction.pair_key = link.pair_key, prediction.cause = cause.id,
  prediction.effect = effect.id, prediction.status = 'OPEN', prediction.issued_at = event.at,
  prediction.sign = coalesce(link.causation_sign, 1) * sign(event.delta),
  prediction.expected_at = event.at + duration({seconds: link.mean_lag_h * 3600}),
  prediction.expires_at = event.at + duration({seconds: $settings.causation_hours * 3600}),
  prediction.confidence = link.strength * link.causation_confidence,
  prediction.caption = cause.name + ' > ' + effect.name
RETURN count(prediction) AS issued

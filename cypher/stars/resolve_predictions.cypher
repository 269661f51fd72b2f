// Settles open predictions: verified or expired; a verified one strengthens its connection.
//
// Formula: strength + min(hits * prediction_bonus, what is left of the daily cap)       S-24, S-12
// The bonus adds no evidence and engages nobody (D-48).
//
// Parameters: $day, $until, $settings, $realm
// Returns: verified (number that came true), expired (number that ran out of time)
// Access: write

CYPHER 25
// Status of each prediction that came true or ran out of time.
MATCH (prediction:Prediction) WHERE prediction.realm = $realm AND prediction.status = 'OPEN'
LET came_true = EXISTS {
  MATCH (event:BrightnessEvent)
  WHERE event.realm = $realm AND event.star = prediction.effect
    AND event.at > prediction.issued_at AND event.at <= prediction.expires_at
    AND event.at < $until AND sign(event.delta) = prediction.sign
}
WITH prediction, came_true WHERE came_true OR prediction.expires_at < $until
SET prediction.status = CASE WHEN came_true THEN 'VERIFIED' ELSE 'EXPIRED' END,
    prediction.resolved_day = $day
// Bonus of each connection with hits.
WITH prediction.cause AS cause, prediction.effect AS effect,
     sum(CASE WHEN came_true THEN 1 ELSE 0 END) AS hits,
     sum(CASE WHEN came_true THEN 0 ELSE 1 END) AS misses
CALL (cause, effect, hits) {
  MATCH (:Star {realm: $realm, id: cause})-[link:CAUSATION]->(:Star {realm: $realm, id: effect})
  WHERE hits > 0
  LET bonus = CASE link.bonus_day WHEN $day THEN link.bonus_today ELSE 0.0 END,
      gained = CASE link.gains_day WHEN $day THEN link.strength_gained_today ELSE 0.0 END
  LET rest = coll.max([0.0, $settings.daily_strength_cap - gained - bonus])
  LET applied = coll.min([hits * $settings.prediction_bonus, rest])
  SET link.strength = coll.min([1.0, link.strength + applied]),
      link.bonus_day = $day, link.bonus_today = bonus + applied
  RETURN count(link) AS strengthened
}
RETURN sum(hits) AS verified, sum(misses) AS expired

// Settles open predictions: come true, or out of time; a true one strengthens its connection.
//
// The bonus (S-24) counts into the connection's daily cap, adds no evidence and engages nobody.
//
// Parameters: $day, $until, $settings, $realm
// Returns: verified, expired
// Access: write

CYPHER 25
MATCH (p:Prediction) WHERE p.realm = $realm AND p.status = 'OPEN'
LET come = EXISTS {
  MATCH (event:BrightnessEvent)
  WHERE event.realm = $realm AND event.star = p.effect AND event.at > p.issued_at
    AND event.at <= p.expires_at AND event.at < $until AND sign(event.delta) = p.sign
}
WITH p, come WHERE come OR p.expires_at < $until
SET p.status = CASE WHEN come THEN 'VERIFIED' ELSE 'EXPIRED' END, p.resolved_day = $day
WITH p.cause AS cause, p.effect AS effect, sum(CASE WHEN come THEN 1 ELSE 0 END) AS hits,
     sum(CASE WHEN come THEN 0 ELSE 1 END) AS misses
CALL (cause, effect, hits) {
  MATCH (:Star {realm: $realm, id: cause})-[r:CAUSATION]->(:Star {realm: $realm, id: effect})
  WHERE hits > 0
  LET bonus = CASE r.bonus_day WHEN $day THEN r.bonus_today ELSE 0.0 END,
      gained = CASE r.gains_day WHEN $day THEN r.strength_gained_today ELSE 0.0 END
  LET left = coll.max([0.0, $settings.daily_strength_cap - gained - bonus])
  LET applied = coll.min([hits * $settings.prediction_bonus, left])
  SET r.strength = coll.min([1.0, r.strength + applied]),
      r.bonus_day = $day, r.bonus_today = bonus + applied
  RETURN count(r) AS strengthened
}
RETURN sum(hits) AS verified, sum(misses) AS expired

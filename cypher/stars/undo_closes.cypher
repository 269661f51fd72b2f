// Removes what closes recorded from a moment on, and reopens what they settled.
//
// Parameters: $day, $from, $realm
// Returns: day
// Access: write

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.day = $day
WITH close
CALL () {
  MATCH (mark:Cursor) WHERE mark.realm = $realm
    AND (mark.id STARTS WITH 'sweep ' OR mark.id = 'stars/close/started')
  SET mark.day = $day
}
CALL () {
  MATCH (e:Evidence) WHERE e.realm = $realm AND e.id STARTS WITH 'detector|' AND e.day > $day
  DETACH DELETE e
}
CALL () {
  MATCH (c:ConnectionChange)
  WHERE c.realm = $realm AND c.pair_key IS NOT NULL AND c.day IS NOT NULL AND c.at >= $from
  DETACH DELETE c
}
CALL () {
  MATCH (past:ArchivedConnection)
  WHERE past.realm = $realm AND past.pair_key IS NOT NULL AND past.archived_at >= $from
  DETACH DELETE past
}
CALL () {
  MATCH (p:Prediction) WHERE p.realm = $realm AND p.status IN ['OPEN', 'VERIFIED', 'EXPIRED']
  LET issued_after = EXISTS {
    MATCH (event:BrightnessEvent)
    WHERE event.realm = $realm AND event.star = p.cause AND event.at = p.issued_at
      AND event.day > $day
  }
  FOREACH (_ IN CASE WHEN issued_after THEN [1] ELSE [] END | DETACH DELETE p)
  FOREACH (_ IN CASE WHEN NOT issued_after AND p.resolved_day > $day THEN [1] ELSE [] END |
    SET p.status = 'OPEN', p.resolved_day = null)
}
RETURN close.day AS day

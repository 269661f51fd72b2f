// Deletes the records that closes made from a time on, and reopens the predictions they settled.
//
// Parameters: $day, $since, $realm
// Returns: nothing
// Access: write

CYPHER 25
// The marks of closed days.
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.day = $day
WITH close
CALL () {
  MATCH (mark:Cursor) WHERE mark.realm = $realm
    AND (mark.id STARTS WITH 'sweep ' OR mark.id = 'stars/close/started')
  SET mark.day = $day
}
// Detections, changes and archived connections.
CALL () {
  MATCH (piece:Evidence) WHERE piece.realm = $realm AND piece.id STARTS WITH 'detector|'
    AND piece.day > $day
  DETACH DELETE piece
}
CALL () {
  MATCH (change:ConnectionChange)
  WHERE change.realm = $realm AND change.pair_key IS NOT NULL AND change.day IS NOT NULL
    AND change.at >= $since
  DETACH DELETE change
}
CALL () {
  MATCH (past:ArchivedConnection)
  WHERE past.realm = $realm AND past.pair_key IS NOT NULL AND past.archived_at >= $since
  DETACH DELETE past
}
// Predictions: those issued since are deleted, those settled since are open again.
CALL () {
  MATCH (prediction:Prediction)
  WHERE prediction.realm = $realm AND prediction.status IN ['OPEN', 'VERIFIED', 'EXPIRED']
  LET issued_after = EXISTS {
        MATCH (event:BrightnessEvent)
        WHERE event.realm = $realm AND event.star = prediction.cause
          AND event.at = prediction.issued_at AND event.day > $day
      }
  LET reopened = NOT issued_after AND prediction.resolved_day > $day
  FOREACH (_ IN CASE WHEN issued_after THEN [1] ELSE [] END | DETACH DELETE prediction)
  FOREACH (_ IN CASE WHEN reopened THEN [1] ELSE [] END |
    SET prediction.status = 'OPEN', prediction.resolved_day = null
  )
}

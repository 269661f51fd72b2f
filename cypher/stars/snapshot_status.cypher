// Returns the days of the snapshot, and the acts of users since: any act rules out reopening.
//
// Parameters: $realm
// Returns: day (last closed epoch day before it), last (last epoch day of the catch-up), stars
//   (stars engaged, added or removed since), evidence (pieces of evidence since), changes (other
//   acts since)
// Access: read

CYPHER 25
MATCH (snapshot:Cursor {realm: $realm, id: 'stars/kept'})
RETURN snapshot.day AS day, snapshot.last AS last,
  COUNT {
    MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0 AND NOT EXISTS {
      MATCH (before:KeptStar {realm: $realm, id: star.id})
      WHERE before.last_engaged = star.last_engaged
    }
  } + COUNT {
    MATCH (before:KeptStar) WHERE before.realm = $realm AND before.id IS NOT NULL AND NOT EXISTS {
      MATCH (:Star {realm: $realm, id: before.id})
    }
  } AS stars,
  COUNT {
    MATCH (piece:Evidence) WHERE piece.realm = $realm AND piece.pair_key IS NOT NULL
      AND NOT piece.id STARTS WITH 'detector|'
  } - snapshot.evidence AS evidence,
  COUNT {
    MATCH (change:ConnectionChange)
    WHERE change.realm = $realm AND change.pair_key IS NOT NULL AND change.day IS NOT NULL
      AND change.rule CONTAINS 'by the user'
  } - snapshot.changes AS changes

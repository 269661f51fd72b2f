// What is kept of a long catch-up, and what users did to stars since: any act rules out undoing it.
//
// Parameters: $realm
// Returns: day, last, stars, evidence, changes
// Access: read

CYPHER 25
MATCH (kept:Cursor {realm: $realm, id: 'stars/kept'})
RETURN kept.day AS day, kept.last AS last,
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
    MATCH (e:Evidence) WHERE e.realm = $realm AND e.pair_key IS NOT NULL
      AND NOT e.id STARTS WITH 'detector|'
  } - kept.evidence AS evidence,
  COUNT {
    MATCH (c:ConnectionChange)
    WHERE c.realm = $realm AND c.pair_key IS NOT NULL AND c.day IS NOT NULL
      AND c.rule CONTAINS 'by the user'
  } - kept.changes AS changes

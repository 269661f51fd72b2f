// Notes through which day everything was closed when it was kept, and how many acts there were.
//
// Evidence and changes are only ever added, so that their numbers tell whether a user has acted since.
//
// Parameters: $day, $last, $realm
// Returns: day
// Access: write

CYPHER 25
MERGE (kept:Cursor {realm: $realm, id: 'stars/kept'})
SET kept.day = $day, kept.last = $last,
    kept.evidence = COUNT {
      MATCH (e:Evidence) WHERE e.realm = $realm AND e.pair_key IS NOT NULL
        AND NOT e.id STARTS WITH 'detector|'
    },
    kept.changes = COUNT {
      MATCH (c:ConnectionChange) WHERE c.realm = $realm AND c.pair_key IS NOT NULL
        AND c.rule CONTAINS 'by the user'
    }
RETURN kept.day AS day

// Stores the days of a snapshot, and the number of acts of users when it was taken.
//
// Evidence and changes are only ever added, so their numbers tell if a user has acted since.
//
// Parameters: $day, $last, $realm
// Returns: nothing
// Access: write

CYPHER 25
MERGE (snapshot:Cursor {realm: $realm, id: 'stars/kept'})
SET snapshot.day = $day, snapshot.last = $last,
    snapshot.evidence = COUNT {
      MATCH (piece:Evidence) WHERE piece.realm = $realm AND piece.pair_key IS NOT NULL
        AND NOT piece.id STARTS WITH 'detector|'
    },
    snapshot.changes = COUNT {
      MATCH (change:ConnectionChange) WHERE change.realm = $realm AND change.pair_key IS NOT NULL
        AND change.rule CONTAINS 'by the user'
    }

// Removes bookkeeping of texts that are gone: their places, and pairs that they came up in.
//
// An import of a file from an earlier version may bring such. Takes the turn of the texts.
//
// Parameters: $realm, $now
// Returns: removed
// Access: write

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
CALL () {
  MATCH (place:Cursor) WHERE place.realm = $realm AND place.id STARTS WITH 'place:text '
  RETURN place AS gone
UNION
  MATCH (note:Candidate) WHERE note.realm = $realm AND note.low IS NOT NULL
    AND (NOT EXISTS { MATCH (:Memory {realm: $realm, id: note.low}) }
         OR NOT EXISTS { MATCH (:Memory {realm: $realm, id: note.high}) })
  RETURN note AS gone
}
WITH collect(gone) AS remains
FOREACH (gone IN remains | DETACH DELETE gone)
RETURN size(remains) AS removed

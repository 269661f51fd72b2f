// Removes bookkeeping of texts that no longer exist: their places, and pairs that contain them.
//
// An import of a file from an earlier version may bring such.
//
// Parameters: $realm, $now
// Returns: removed (number of nodes)
// Access: write
// Locks: the Cursor node of the texts

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
CALL () {
  MATCH (place:Cursor) WHERE place.realm = $realm AND place.id STARTS WITH 'place:text '
  RETURN place AS remnant
UNION
  MATCH (pair:Candidate) WHERE pair.realm = $realm AND pair.low IS NOT NULL
    AND (NOT EXISTS { MATCH (:Memory {realm: $realm, id: pair.low}) }
         OR NOT EXISTS { MATCH (:Memory {realm: $realm, id: pair.high}) })
  RETURN pair AS remnant
}
WITH collect(remnant) AS remains
FOREACH (remnant IN remains | DETACH DELETE remnant)
RETURN size(remains) AS removed

// Removes the places of texts: a text is locked by its own node.
//
// Parameters: none
// Returns: removed
// Access: batch
// Scans: Cursor, once
// Realms: all

CYPHER 25
MATCH (place:Cursor)
WHERE place.id STARTS WITH 'place:text '
CALL (place) {
  DELETE place
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS removed

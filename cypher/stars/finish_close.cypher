// Notes that a day is closed.
//
// Parameters: $day, $realm
// Returns: day
// Access: write

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.day = CASE WHEN close.day < $day THEN $day ELSE close.day END
RETURN close.day AS day

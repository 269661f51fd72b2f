// Marks a day as closed.
//
// Parameters: $day, $realm
// Returns: nothing
// Access: write

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.day = CASE WHEN close.day < $day THEN $day ELSE close.day END

// Marks that a day's close has started, and returns the day of the mark before.
//
// Parameters: $day, $realm
// Returns: before (epoch day of the mark before, or null)
// Access: write

CYPHER 25
MERGE (mark:Cursor {realm: $realm, id: 'stars/close/started'})
WITH mark, mark.day AS before
SET mark.day = $day
RETURN before

// Takes the close's lock, held until the transaction ends: one close at a time.
//
// Parameters: $day, $realm
// Returns: closed_day
// Access: write

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.at_work = $day
RETURN close.day AS closed_day

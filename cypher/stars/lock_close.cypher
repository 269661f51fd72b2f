// Locks the daily close until the transaction ends: one close at a time.
//
// Locks: the Cursor stars/close
//
// Parameters: $now, $realm
// Returns: closed_day (last closed epoch day)
// Access: write

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
SET close.locked_at = $now
RETURN close.day AS closed_day

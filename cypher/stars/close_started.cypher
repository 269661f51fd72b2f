// Leaves a trace that a day's close has begun, and says which one began before it.
//
// Parameters: $day, $realm
// Returns: before
// Access: write

CYPHER 25
MERGE (trace:Cursor {realm: $realm, id: 'stars/close/started'})
WITH trace, trace.day AS before
SET trace.day = $day
RETURN before

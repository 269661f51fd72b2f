// Stores the events of a session, so that a later recording assigns them again.
//
// Parameters: $realm, $session_id, $events
// Returns: nothing
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session.events = $events

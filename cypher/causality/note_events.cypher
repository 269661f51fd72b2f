// Keeps the events with the session, so that a later recording assigns them again.
//
// Parameters: $realm, $session_id, $events
// Returns: id
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session.events = $events
RETURN session.id AS id

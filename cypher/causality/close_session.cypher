// Stores the run and the totals of a session: the last step of a recording.
//
// Parameters: $realm, $session_id, $now, $props
// Returns: nothing
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session += $props, session.recorded_at = $now

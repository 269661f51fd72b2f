// Notes on the session which run it holds now, and its totals: the last step of a recording.
//
// Parameters: $realm, $session_id, $now, $props
// Returns: run_id
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session += $props, session.recorded_at = $now
RETURN session.run_id AS run_id

// Deletes a session's node, or leaves it to the memories that belong to it.
//
// Parameters: $realm, $session_id, $blank
// Returns: nothing
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session += $blank
WITH session, NOT EXISTS { (session)--() } AS deleted
FOREACH (_ IN CASE WHEN deleted THEN [1] ELSE [] END | DELETE session)

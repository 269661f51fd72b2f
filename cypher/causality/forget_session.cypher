// Deletes the session's node, or leaves it to the memories that belong to it.
//
// Parameters: $realm, $session_id, $blank
// Returns: deleted
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session += $blank
WITH session, NOT EXISTS { (session)--() } AS alone
FOREACH (gone IN CASE WHEN alone THEN [session] ELSE [] END | DELETE gone)
RETURN alone AS deleted

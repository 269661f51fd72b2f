// Locks an answer, and returns its id if it is there.
//
// Parameters: $realm, $now, $id
// Returns: id (of the narrative)
// Locks: the Narrative
// Access: write

CYPHER 25
MATCH (narrative:Narrative {realm: $realm, id: $id})
SET narrative.locked_at = $now
RETURN narrative.id AS id

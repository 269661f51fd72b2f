// Locks the creation of narratives, so that runs compare and create them one after the other.
//
// Parameters: $realm, $now
// Returns: nothing
// Locks: the Cursor exploration/gate
// Access: write

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'exploration/gate'})
SET cursor.locked_at = $now

// Where a source stands: the newest time it has seen, and its last sequence number.
//
// Parameters: $realm, $source
// Returns: newest, sequence
// Access: read

CYPHER 25
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: $source})
RETURN cursor.newest AS newest, cursor.sequence AS sequence

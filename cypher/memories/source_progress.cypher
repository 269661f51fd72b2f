// Returns how far a source has been read.
//
// Parameters: $realm, $source
// Returns: newest (time of the newest event, in microseconds), sequence (the last number)
// Access: read

CYPHER 25
OPTIONAL MATCH (source:Cursor {realm: $realm, id: $source})
RETURN source.newest AS newest, source.sequence AS sequence

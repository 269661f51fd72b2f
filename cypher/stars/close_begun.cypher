// The day whose close began last, whether or not it was finished.
//
// Parameters: $realm
// Returns: day
// Access: read

CYPHER 25
MATCH (trace:Cursor {realm: $realm, id: 'stars/close/started'})
RETURN trace.day AS day

// Returns the day whose close was started last, finished or not.
//
// Parameters: $realm
// Returns: day (epoch day)
// Access: read

CYPHER 25
MATCH (mark:Cursor {realm: $realm, id: 'stars/close/started'})
RETURN mark.day AS day

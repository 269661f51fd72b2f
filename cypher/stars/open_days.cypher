// Where the daily close stands: the last closed day, and which constellations began when.
//
// Parameters: $realm
// Returns: closed_day, since, constellations
// Access: read

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
RETURN close.day AS closed_day, close.since AS since,
       COLLECT {
         MATCH (start:Cursor) WHERE start.realm = $realm AND start.id STARTS WITH 'constellation/'
         RETURN [substring(start.id, 14), start.start_day]
       } AS constellations

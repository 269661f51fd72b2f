// Returns the last closed day, the first one, and the first day of each constellation.
//
// Parameters: $realm
// Returns: closed_day (last closed epoch day), since (first epoch day of closes), constellations
//   (pairs of constellation and first epoch day)
// Access: read

CYPHER 25
MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
RETURN close.day AS closed_day, close.since AS since,
       COLLECT {
         MATCH (start:Cursor) WHERE start.realm = $realm AND start.id STARTS WITH 'constellation/'
         RETURN [substring(start.id, 14), start.start_day]
       } AS constellations

// Returns the active hours of a realm, and the intervals in which they were counted.
//
// Parameters: $realm
// Returns: active (microseconds), covered (ends of the intervals, in microseconds, as a flat list)
// Access: read

CYPHER 25
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN coalesce(realm.active_micros, 0) AS active,
       coalesce(realm.active_intervals, []) AS covered

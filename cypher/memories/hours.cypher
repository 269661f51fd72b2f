// The active hours of a realm so far, in microseconds, and the intervals that they were counted in.
//
// Parameters: $realm
// Returns: active, covered
// Access: read

CYPHER 25
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN coalesce(realm.active_micros, 0) AS active,
       coalesce(realm.active_intervals, []) AS covered

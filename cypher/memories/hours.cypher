// How long graphs on this realm have been open, in microseconds.
//
// Parameters: $realm
// Returns: active
// Access: read

CYPHER 25
OPTIONAL MATCH (realm:Realm {realm: $realm})
RETURN coalesce(realm.active_micros, 0) AS active

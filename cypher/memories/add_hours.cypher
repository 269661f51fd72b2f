// Adds the time that a graph was open to its realm's active hours.
//
// Parameters: $realm, $elapsed
// Returns: active
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm.active_micros = coalesce(realm.active_micros, 0) + $elapsed
RETURN realm.active_micros AS active

// Takes the lock of a memory's place: nobody is adding evidence to it meanwhile.
//
// Parameters: $realm, $now, $id
// Returns: held
// Access: write

CYPHER 25
MATCH (m:Memory {realm: $realm, id: $id})
MERGE (place:Cursor {realm: $realm, id: 'place:' + coalesce(m.symbol, 'text ' + $id)})
SET place.locked_at = $now
RETURN place.id AS held

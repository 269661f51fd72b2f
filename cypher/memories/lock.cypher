// Takes the locks of a batch, in order: its source, then the symbols it touches.
//
// Whoever holds a symbol's lock sees every one of its levels as it is, and nobody else can
// make one: so no two centres ever lie within one band.
//
// Parameters: $realm, $now, $locks
// Returns: passes
// Access: write

CYPHER 25
UNWIND $locks AS id
MERGE (cursor:Cursor {realm: $realm, id: id})
SET cursor.locked_at = $now
WITH count(*) AS taken
OPTIONAL MATCH (decay:Cursor {realm: $realm, id: 'decay'})
RETURN coalesce(decay.passes, []) AS passes

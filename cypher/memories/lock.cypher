// Takes the locks of a batch, in order: its source, the symbols it touches, the memories it names.
//
// Whoever holds a symbol's lock sees every one of its levels as it is, and nobody else can
// make one: so no two centres ever lie within one band. A memory that is named is its own lock.
//
// Parameters: $realm, $now, $locks, $memories
// Returns: passes
// Access: write

CYPHER 25
UNWIND $locks AS id
MERGE (cursor:Cursor {realm: $realm, id: id})
SET cursor.locked_at = $now
WITH count(*) AS taken
CALL () {
  UNWIND $memories AS id
  MATCH (m:Memory {realm: $realm, id: id})
  SET m.locked_at = $now
  RETURN count(*) AS named
}
OPTIONAL MATCH (decay:Cursor {realm: $realm, id: 'decay'})
RETURN coalesce(decay.passes, []) AS passes

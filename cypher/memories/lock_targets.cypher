// Locks what a batch of evidence may change, and returns the decay passes so far.
//
// Whoever holds a symbol's lock sees all of its levels, and nobody else can create one: so no two
// centres ever lie within one band. A memory that an item names is its own lock.
//
// Parameters: $realm, $now, $locks, $memories
// Returns: passes (times of the decay passes, in microseconds)
// Access: write
// Locks: Cursor nodes of the source and of the symbols by id, then Memory nodes by id

CYPHER 25
UNWIND $locks AS id
MERGE (cursor:Cursor {realm: $realm, id: id})
SET cursor.locked_at = $now
WITH count(*) AS cursors
CALL () {
  UNWIND $memories AS id
  MATCH (memory:Memory {realm: $realm, id: id})
  SET memory.locked_at = $now
  RETURN count(*) AS locked
}
OPTIONAL MATCH (decay:Cursor {realm: $realm, id: 'decay'})
RETURN coalesce(decay.passes, []) AS passes

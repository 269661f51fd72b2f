// Locks memories by id, what is joined to those that leave, and what those that arrive come after.
//
// Names, words and sessions need no lock of their own: they change under the turn of the texts.
// Setting a property to its own value takes the lock and writes nothing.
//
// Parameters: $realm, $ids, $leaving, $arriving
// Returns: locked
// Access: write

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (node:Memory {realm: $realm, id: id})
    USING INDEX SEEK node:Memory(realm, id)
  RETURN node
UNION
  UNWIND $leaving AS id
  MATCH (m:Memory {realm: $realm, id: id})--(node)
    USING INDEX SEEK m:Memory(realm, id)
  WHERE NOT node:Name AND NOT node:Term AND NOT node:Session
  RETURN node
UNION
  UNWIND $arriving AS id
  MATCH (m:Memory {realm: $realm, id: id})
    USING INDEX SEEK m:Memory(realm, id)
  MATCH (session:Session {realm: $realm, id: m.session})
  MATCH (node:Memory {realm: $realm, id: session.latest_memory})
    USING INDEX SEEK node:Memory(realm, id)
  RETURN node
}
WITH node ORDER BY node.id
SET node.realm = node.realm
RETURN count(*) AS locked

// Locks memories, the neighbours of those that leave, and the predecessors of those that arrive.
//
// Names, words and sessions need no lock of their own: the Cursor 'texts' guards them. Setting a
// property to its own value takes a lock and writes nothing, on nodes of any label.
//
// Parameters: $realm, $ids, $leaving, $arriving
// Returns: locked (number of nodes)
// Access: write
// Locks: these nodes by id; the caller holds the Cursor 'texts'

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (node:Memory {realm: $realm, id: id})
    USING INDEX SEEK node:Memory(realm, id)
  RETURN node
UNION
  UNWIND $leaving AS id
  MATCH (memory:Memory {realm: $realm, id: id})--(node)
    USING INDEX SEEK memory:Memory(realm, id)
  WHERE NOT node:Name AND NOT node:Term AND NOT node:Session
  RETURN node
UNION
  // The latest memory of the session that each one arrives in.
  UNWIND $arriving AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  MATCH (session:Session {realm: $realm, id: memory.session})
  MATCH (node:Memory {realm: $realm, id: session.latest_memory})
    USING INDEX SEEK node:Memory(realm, id)
  RETURN node
}
WITH node ORDER BY node.id
SET node.realm = node.realm
RETURN count(*) AS locked

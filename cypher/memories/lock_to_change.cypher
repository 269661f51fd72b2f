// Locks the texts of a realm, and reads memories that are about to change, with their successors.
//
// Whoever holds the Cursor 'texts' changes what joins memories alone, so nothing that was read
// under it changes. It comes before every lock of a memory (docs/operations.md).
//
// Parameters: $realm, $now, $ids, $session
// Returns: memories (fields of those that exist, without vectors, each with the ids of its
//   successors, the next one first, and of its repeats, and the key of the stored item that it
//   belongs to or null),
//   latest (latest memory of the session or null),
//   token (of the consolidated vectors or null)
// Access: write
// Locks: the Cursor 'texts'

CYPHER 25
// The lock.
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
OPTIONAL MATCH (session:Session {realm: $realm, id: $session})
WITH session.latest_memory AS latest
// The memories with their chains and repeats: memories.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN collect(memory {
    .*,
    embedding: null,
    stored_as: [(memory)<-[:INDEXED_AS]-(item:StoreItem) | item.key][0],
    successors: COLLECT {
      MATCH steps = (memory)<-[:SUPERSEDES]-+(successor:Memory)
      RETURN successor.id ORDER BY length(steps)
    },
    repeats: COLLECT {
      MATCH (repeat:Memory {realm: $realm, duplicate_of: id})
      RETURN repeat.id ORDER BY repeat.id
    }
  }) AS memories
}
OPTIONAL MATCH (consolidated:Cursor {realm: $realm, id: 'consolidation'})
RETURN memories, latest, consolidated.token AS token

// Locks the texts of a realm to forget some, and returns what goes with them.
//
// Whoever holds the Cursor 'texts' adds and removes memories and what joins them alone, so nothing
// that was read under it disappears. It comes before every lock of a memory, and the places of
// levels come between (docs/operations.md). The repeats of a memory wait again, at the end of their
// session.
//
// Parameters: $realm, $now, $ids
// Returns: token (of the consolidated vectors), texts (what the search index holds of them),
//   relationships (a type and a count each), repeats (ids of their duplicates that stay),
//   chained (ids of those that superseded others or were superseded)
// Access: write
// Locks: the Cursor 'texts', then the places of the levels' symbols in order

CYPHER 25
OPTIONAL MATCH (consolidated:Cursor {realm: $realm, id: 'consolidation'})
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH consolidated.token AS token
// The memories, and the places of levels among them: memories.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN collect(memory) AS memories
}
CALL (memories) {
  UNWIND memories AS memory
  WITH DISTINCT memory.symbol AS symbol WHERE symbol IS NOT NULL
  WITH symbol ORDER BY symbol
  MERGE (place:Cursor {realm: $realm, id: 'place:' + symbol})
  SET place.locked_at = $now
  RETURN count(*) AS places
}
// What goes with them.
RETURN token,
       [memory IN memories WHERE memory.indexed
         | memory {.id, .about, .speaker, .text, .indexed_words, .language}] AS texts,
       COLLECT { UNWIND memories AS memory
                 MATCH (memory)-[relationship]-()
                 WITH DISTINCT relationship
                 WITH type(relationship) AS type, count(relationship) AS amount
                 RETURN {type: type, count: amount} } AS relationships,
       COLLECT { UNWIND memories AS memory
                 MATCH (repeat:Memory {realm: $realm, duplicate_of: memory.id})
                   USING INDEX SEEK repeat:Memory(realm, duplicate_of)
                 WHERE NOT repeat.id IN $ids
                 RETURN repeat.id ORDER BY repeat.id } AS repeats,
       [memory IN memories WHERE EXISTS { (memory)-[:SUPERSEDES]-() } | memory.id] AS chained

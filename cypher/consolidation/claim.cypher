// Claims the memories that have waited longest, for one run and until its lease ends.
//
// Runs of a realm take turns, so that many processes end exactly as one would: while the claim of
// another is alive, nothing is claimed. What a run left behind when its lease ended is free again.
// Memories are locked by id. One that somebody forgot meanwhile has no properties any more.
//
// Parameters: $realm, $now, $run, $moment, $until, $limit
// Returns: id (id of the memory), text (passage to embed), tags (its tags),
//   category (its category or an empty text), embedding (vector of its text or null)
// Access: write

CYPHER 25
// Live claims of other runs, once the ended ones are removed: others.
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = $run
SET cursor.locked_at = $now
WITH cursor
CALL () {
  MATCH (claim:Cursor) WHERE claim.realm = $realm AND claim.id STARTS WITH 'claim:'
  WITH claim, claim.lease_until > $moment AS live
  FOREACH (ended IN CASE WHEN live THEN [] ELSE [claim] END | DETACH DELETE ended)
  RETURN count(CASE WHEN live THEN 1 END) AS others
}
WITH others WHERE others = 0
// Memories that have waited longest, locked by id and claimed: memories.
MATCH (memory:Memory {realm: $realm, waiting: true})
WITH memory ORDER BY memory.arrival, memory.id LIMIT $limit
WITH memory ORDER BY memory.id
SET memory.locked_at = $now
WITH memory WHERE memory.locked_at IS NOT NULL
SET memory.claimed_by = $run
WITH memory ORDER BY memory.arrival, memory.id
WITH collect(memory) AS memories
FOREACH (_ IN memories[..1] |
  MERGE (claim:Cursor {realm: $realm, id: 'claim:' + $run})
  SET claim.run = $run, claim.lease_until = $until)
WITH memories
UNWIND memories AS memory
RETURN memory.id AS id, coalesce(memory.passage, memory.text) AS text,
       coalesce(memory.tags, []) AS tags, coalesce(memory.category, '') AS category,
       memory.embedding AS embedding

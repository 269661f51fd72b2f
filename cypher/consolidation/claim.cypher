// Claims the memories that have waited longest, for one run and until its lease ends.
//
// Runs of a realm take turns, so that many processes end exactly as one would: while the claim of
// another is alive, nothing is claimed. What a run left behind when its lease ended is free again.
// Memories are locked by id; what somebody forgot meanwhile has no properties any more.
//
// Parameters: $realm, $now, $run, $moment, $until, $limit
// Returns: id, text, tags, category, embedding
// Access: write

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = $run
SET cursor.locked_at = $now
WITH cursor
CALL () {
  MATCH (claim:Cursor) WHERE claim.realm = $realm AND claim.id STARTS WITH 'claim:'
  WITH claim, claim.lease_until > $moment AS live
  FOREACH (dead IN CASE WHEN live THEN [] ELSE [claim] END | DETACH DELETE dead)
  RETURN count(CASE WHEN live THEN 1 END) AS others
}
WITH others WHERE others = 0
MATCH (m:Memory {realm: $realm, waiting: true})
WITH m ORDER BY m.arrival, m.id LIMIT $limit
WITH m ORDER BY m.id
SET m.locked_at = $now
WITH m WHERE m.locked_at IS NOT NULL
SET m.claimed_by = $run
WITH m ORDER BY m.arrival, m.id
WITH collect(m) AS claimed
FOREACH (first IN claimed[..1] |
  MERGE (mine:Cursor {realm: $realm, id: 'claim:' + $run})
  SET mine.run = $run, mine.lease_until = $until)
WITH claimed
UNWIND claimed AS m
RETURN m.id AS id, coalesce(m.passage, m.text) AS text, coalesce(m.tags, []) AS tags,
       coalesce(m.category, '') AS category, m.embedding AS embedding

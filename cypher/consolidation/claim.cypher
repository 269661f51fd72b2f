// Claims the memories that have waited longest, for one run and until its lease ends.
//
// The lock makes claims take turns; what a run left behind when its lease ended is free again.
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
  RETURN collect(CASE WHEN live THEN claim.run END) AS live
}
MATCH (m:Memory {realm: $realm, waiting: true})
WHERE m.claimed_by IS NULL OR NOT m.claimed_by IN live
WITH m ORDER BY m.arrival, m.id LIMIT $limit
SET m.claimed_by = $run
WITH collect(m) AS claimed
FOREACH (first IN claimed[..1] |
  MERGE (mine:Cursor {realm: $realm, id: 'claim:' + $run})
  SET mine.run = $run, mine.lease_until = $until)
WITH claimed
UNWIND claimed AS m
RETURN m.id AS id, coalesce(m.passage, m.text) AS text, coalesce(m.tags, []) AS tags,
       coalesce(m.category, '') AS category, m.embedding AS embedding

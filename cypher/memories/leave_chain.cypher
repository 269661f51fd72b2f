// Takes a memory out of its chain of corrections: its neighbours are joined, or valid again.
//
// What it superseded is superseded by its own successor from the same time on. Without one it is
// valid on its own again, with the end that it had before.
//
// Parameters: $realm, $now, $id
// Returns: restored (ids of memories that nothing supersedes any more)
// Access: write
// Locks: nothing more; the caller holds the memory and its neighbours

CYPHER 25
MATCH (memory:Memory {realm: $realm, id: $id})-[link:SUPERSEDES]->(former:Memory)
SET former.locked_at = $now
WITH memory, link, former ORDER BY former.id
OPTIONAL MATCH (memory)<-[:SUPERSEDES]-(successor:Memory)
FOREACH (_ IN CASE WHEN successor IS NULL THEN [1] ELSE [] END |
  SET former.superseded_by = null,
      former.valid_to = CASE WHEN link.ended THEN link.former_end ELSE former.valid_to END)
FOREACH (_ IN CASE WHEN successor IS NULL THEN [] ELSE [1] END |
  CREATE (successor)-[joined:SUPERSEDES {
    at: link.at, reason: link.reason, ended: link.ended, former_end: link.former_end, began: false,
    correction_confirmed_at: link.correction_confirmed_at
  }]->(former)
  SET former.superseded_by = successor.id)
DELETE link
RETURN collect(CASE WHEN successor IS NULL THEN former.id END) AS restored

// Makes a memory the successor of another, which ends at that time unless it has ended before.
//
// The relationship keeps what it changed, so that it can be undone: the end that the former memory
// had, and that the successor had no beginning.
//
// Parameters: $realm, $now, $old, $new, $at, $reason
// Returns: superseded (1 if both memories are there, else 0)
// Access: write
// Locks: both Memory nodes, which the caller has locked by id after the Cursor 'texts'

CYPHER 25
MATCH (former:Memory {realm: $realm, id: $old}), (successor:Memory {realm: $realm, id: $new})
SET former.locked_at = $now, successor.locked_at = $now
WITH former, successor,
     CASE WHEN former.valid_from > $at THEN former.valid_from ELSE $at END AS at
WITH former, successor, at, coalesce(former.valid_to > at, true) AS ends
CREATE (successor)-[:SUPERSEDES {
  at: at,
  reason: $reason,
  ended: ends,
  former_end: CASE WHEN ends THEN former.valid_to END,
  began: successor.valid_from IS NULL
}]->(former)
SET former.superseded_by = successor.id,
    former.valid_to = CASE WHEN ends THEN at ELSE former.valid_to END,
    successor.valid_from = coalesce(successor.valid_from, at)
RETURN count(*) AS superseded

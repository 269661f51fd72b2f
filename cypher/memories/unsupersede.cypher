// Takes back that memories were superseded, with the end and the beginning that this set.
//
// Parameters: $realm, $now, $ids
// Returns: restored (number of memories that are valid on their own again)
// Access: write
// Locks: Memory nodes, which the caller has locked by id after the Cursor 'texts'

CYPHER 25
UNWIND $ids AS id
MATCH (former:Memory {realm: $realm, id: id})<-[link:SUPERSEDES]-(successor:Memory)
  USING INDEX SEEK former:Memory(realm, id)
SET former.locked_at = $now, successor.locked_at = $now
SET former.valid_to = CASE WHEN link.ended THEN link.former_end ELSE former.valid_to END,
    successor.valid_from = CASE WHEN link.began THEN null ELSE successor.valid_from END
REMOVE former.superseded_by
DELETE link
RETURN count(*) AS restored

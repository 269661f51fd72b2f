// Confirms that what stands on a superseded memory holds all the same. Twice changes nothing.
//
// Parameters: $realm, $now, $old
// Returns: confirmed_at (time of the first confirmation)
// Access: write
// Locks: both Memory nodes, which the caller has locked by id after the Cursor 'texts'

CYPHER 25
MATCH (old:Memory {realm: $realm, id: $old})<-[correction:SUPERSEDES]-(new:Memory)
SET old.locked_at = $now, new.locked_at = $now
SET correction.correction_confirmed_at = coalesce(correction.correction_confirmed_at, $now)
RETURN correction.correction_confirmed_at AS confirmed_at

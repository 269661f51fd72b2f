// Takes texts without a usable vector out of the queue, with the reason.
//
// Parameters: $realm, $now, $rows
// Returns: id (id of a text set aside)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
SET memory.locked_at = $now
WITH memory, row WHERE memory.locked_at IS NOT NULL AND memory.embedding IS NULL
SET memory.set_aside = row.reason
REMOVE memory.waiting, memory.unembedded, memory.claimed_by
RETURN memory.id AS id

// Takes texts of which no usable vector came out of the queue, with the reason.
//
// Parameters: $realm, $now, $rows
// Returns: id
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
SET m.locked_at = $now
WITH m, row WHERE m.locked_at IS NOT NULL AND m.embedding IS NULL
SET m.set_aside = row.reason
REMOVE m.waiting, m.unembedded, m.claimed_by
RETURN m.id AS id

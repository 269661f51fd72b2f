// Archives memories that say what another says already, and remembers which one that is.
//
// Parameters: $realm, $now, $run, $rows
// Returns: rejected
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
SET m:Archived, m.state = 'duplicate', m.duplicate_of = row.of, m.consolidated_by = $run,
    m.rejected_at = $now, m.archive_at = null
REMOVE m.waiting, m.claimed_by, m.embedding
RETURN count(m) AS rejected

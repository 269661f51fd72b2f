// Archives memories that say what another says already, and remembers which one that is.
//
// They keep their vectors: a question that asks for archived memories finds them.
//
// Parameters: $realm, $now, $run, $rows
// Returns: rejected
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
SET m:Archived, m.state = 'duplicate', m.duplicate_of = row.of, m.consolidated_by = $run,
    m.rejected_at = $now, m.archive_at = null
REMOVE m.waiting, m.claimed_by
RETURN count(m) AS rejected

// Archives memories that say what another says already, and remembers which one that is.
//
// They keep their vectors: a question that asks for archived memories finds them.
//
// Parameters: $realm, $now, $run, $rows
// Returns: rejected (number of memories archived)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
SET memory:Archived, memory.state = 'duplicate', memory.duplicate_of = row.of,
    memory.consolidated_by = $run, memory.rejected_at = $now, memory.archive_at = null
REMOVE memory.waiting, memory.claimed_by
RETURN count(memory) AS rejected

// Gives memories their place among the consolidated ones.
//
// Parameters: $realm, $now, $run, $hours, $rows
// Returns: promoted (number of memories consolidated)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
SET memory.promoted_seq = row.number,
    memory.promoted_at = $now,
    memory.consolidated_by = $run,
    memory.learned_at_hours = $hours,
    memory.last_reinforced_hours = $hours,
    memory.tag_keys = coll.distinct(row.tag_keys + coalesce(memory.tag_keys, [])),
    memory.near_duplicates = row.near_duplicates,
    memory.near_count = size(row.near_duplicates)
REMOVE memory.waiting, memory.claimed_by
RETURN count(memory) AS promoted

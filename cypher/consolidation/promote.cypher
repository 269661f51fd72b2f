// Memories take their place among the consolidated ones.
//
// Parameters: $realm, $now, $run, $hours, $rows
// Returns: promoted
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
SET m.promoted_seq = row.number, m.promoted_at = $now, m.consolidated_by = $run,
    m.learned_at_hours = $hours, m.last_reinforced_hours = $hours,
    m.tag_keys = coll.distinct(row.tag_keys + coalesce(m.tag_keys, [])), m.near_duplicates = row.near,
    m.near_count = size(row.near)
REMOVE m.waiting, m.claimed_by
RETURN count(m) AS promoted

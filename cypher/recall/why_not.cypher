// Reads what may keep a memory from being a candidate at all.
//
// Parameters: $realm, $id
// Returns: kind (text or market_level), indexed (true if the search index has it),
//   embedded (true if it has a vector), archive_at (time of archiving in microseconds),
//   clock (clock of its decay: wall or active), first_seen (time of the first evidence or saying),
//   marks (tags, fields and metadata as words), states (those of a filter that it is in whatever
//   the time), valid_from (time from which it is true or null)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm, id: $id})
RETURN memory.kind AS kind,
       coalesce(memory.indexed, false) AS indexed,
       memory.embedding IS NOT NULL AS embedded,
       coalesce(memory.archive_at, memory.archived_at) AS archive_at,
       memory.clock AS clock,
       memory.first_seen AS first_seen,
       coalesce(memory.marks, []) AS marks,
       [state IN [
         CASE WHEN memory.state = 'duplicate' THEN 'duplicate' END,
         CASE WHEN memory.superseded_by IS NOT NULL THEN 'superseded' END,
         CASE WHEN memory.waiting IS NOT NULL THEN 'waiting' END
       ] WHERE state IS NOT NULL] AS states,
       memory.valid_from AS valid_from

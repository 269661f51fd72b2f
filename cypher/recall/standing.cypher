// What may keep a memory from being found at all.
//
// Parameters: $realm, $id
// Returns: kind, noted, embedded, archive_at, clock, first_seen, marks
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, id: $id})
RETURN m.kind AS kind, coalesce(m.noted, false) AS noted, m.embedding IS NOT NULL AS embedded,
       coalesce(m.archive_at, m.archived_at) AS archive_at, m.clock AS clock, m.first_seen AS first_seen,
       coalesce(m.marks, []) AS marks

// Returns the earlier connections of two stars.
//
// Parameters: $pair_key, $realm
// Returns: type (type), strength (strength at the end), state (state at the end), evidence_count
//   (pieces counted ever), created_at (time of creation), archived_at (time of the end), reason
//   (reason of the end)
// Access: read

CYPHER 25
MATCH (past:ArchivedConnection)
WHERE past.realm = $realm AND past.pair_key = $pair_key AND past.archived_at IS NOT NULL
RETURN past.type AS type, past.strength AS strength, past.state AS state,
       past.evidence_count AS evidence_count, past.created_at AS created_at,
       past.archived_at AS archived_at, past.reason AS reason
ORDER BY archived_at

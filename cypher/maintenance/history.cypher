// The latest jobs, newest first.
//
// Parameters: $realm, $limit
// Returns: run, job, started_at, finished_at, status, message, changed, counts, offenders
// Access: read

CYPHER 25
MATCH (entry:Run)
WHERE entry.realm = $realm AND entry.kind = 'maintenance' AND entry.at IS NOT NULL
RETURN entry.id AS run, entry.job AS job, entry.started_at AS started_at, entry.finished_at AS finished_at,
       entry.status AS status, coalesce(entry.message, '') AS message, entry.changed AS changed,
       entry.counts AS counts, entry.offenders AS offenders
ORDER BY entry.at DESC, entry.began DESC, run
LIMIT $limit

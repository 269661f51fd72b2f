// The latest jobs, newest first.
//
// Parameters: $realm, $limit
// Returns: run, job, started_at, finished_at, status, message, changed, counts, offenders
// Access: read

CYPHER 25
MATCH (run:Run)
WHERE run.realm = $realm AND run.kind = 'maintenance' AND run.at IS NOT NULL
RETURN run.id AS run, run.job AS job, run.started_at AS started_at, run.finished_at AS finished_at,
       run.status AS status, coalesce(run.message, '') AS message, run.changed AS changed,
       run.counts AS counts, run.offenders AS offenders
ORDER BY run.at DESC, run.began DESC, run
LIMIT $limit

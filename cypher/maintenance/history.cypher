// Reads the latest runs of jobs, newest first.
//
// Parameters: $realm, $limit
// Returns: run (its id), job (name of the job), started_at (time at which it started),
//   finished_at (time at which it finished or null), status (running, done, failed or broken off),
//   message (for people), changed (JSON: numbers by name), counts (JSON: numbers by name),
//   offenders (JSON: what breaks a rule)
// Access: read

CYPHER 25
MATCH (entry:Run)
WHERE entry.realm = $realm AND entry.kind = 'maintenance' AND entry.at IS NOT NULL
RETURN entry.id AS run, entry.job AS job, entry.started_at AS started_at,
       entry.finished_at AS finished_at, entry.status AS status,
       coalesce(entry.message, '') AS message, entry.changed AS changed, entry.counts AS counts,
       entry.offenders AS offenders
ORDER BY entry.at DESC, entry.started_micros DESC, run
LIMIT $limit

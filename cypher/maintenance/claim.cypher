// Begins a job, unless another run has it: for one run, until its lease ends.
//
// A run whose lease has ended without a report is stored as broken off: its process was killed.
//
// Parameters: $realm, $now, $job, $run, $moment, $until
// Returns: claimed (whether this run has the job)
// Access: write
// Locks: the Cursor node of the job

CYPHER 25
MERGE (lease:Cursor {realm: $realm, id: 'maintenance/' + $job})
SET lease.locked_at = $now
WITH lease, lease.run AS holder,
     coalesce(lease.lease_until > $moment AND lease.run <> $run, false) AS busy
FOREACH (_ IN CASE WHEN busy THEN [] ELSE [1] END |
  SET lease.run = $run, lease.lease_until = $until
  MERGE (run:Run {realm: $realm, id: $run})
  SET run.kind = 'maintenance', run.job = $job, run.at = $now, run.started_at = $now,
      run.started_micros = $moment, run.status = 'running', run.caption = $job + ': running')
WITH holder, busy
OPTIONAL MATCH (killed:Run {realm: $realm, id: holder})
WHERE NOT busy AND holder <> $run AND killed.status = 'running'
SET killed.status = 'broken off', killed.caption = killed.job + ': broken off'
RETURN NOT busy AS claimed

// Begins a job, unless another runner is at it: for one run and until its lease ends.
//
// A run whose lease has ended without a word is written down as broken off: its process was killed.
//
// Parameters: $realm, $now, $job, $run, $moment, $until
// Returns: claimed, holder
// Access: write

CYPHER 25
MERGE (lease:Cursor {realm: $realm, id: 'maintenance/' + $job})
SET lease.locked_at = $now
WITH lease, lease.run AS before, coalesce(lease.lease_until > $moment AND lease.run <> $run, false) AS taken
FOREACH (mine IN CASE WHEN taken THEN [] ELSE [lease] END |
  SET mine.run = $run, mine.lease_until = $until
  MERGE (run:Run {realm: $realm, id: $run})
  SET run.kind = 'maintenance', run.job = $job, run.at = $now, run.started_at = $now,
      run.began = $moment, run.status = 'running', run.caption = $job + ': running')
WITH before, taken
OPTIONAL MATCH (dead:Run {realm: $realm, id: before})
WHERE NOT taken AND before <> $run AND dead.status = 'running'
SET dead.status = 'broken off', dead.caption = dead.job + ': broken off'
RETURN NOT taken AS claimed, before AS holder

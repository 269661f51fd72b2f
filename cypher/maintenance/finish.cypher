// Stores the result of a job, and releases the job if no other run has taken it over.
//
// Parameters: $realm, $now, $job, $run, $properties
// Returns: nothing
// Access: write
// Locks: the Cursor node of the job

CYPHER 25
MERGE (run:Run {realm: $realm, id: $run})
ON CREATE SET run.kind = 'maintenance', run.job = $job, run.at = $now, run.started_at = $now
SET run += $properties, run.finished_at = $now
WITH run
OPTIONAL MATCH (lease:Cursor {realm: $realm, id: 'maintenance/' + $job})
SET lease.locked_at = $now
FOREACH (_ IN CASE WHEN lease.run = run.id THEN [1] ELSE [] END |
  REMOVE lease.run, lease.lease_until)

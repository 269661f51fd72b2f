// Writes down how a job went, and lets go of it if nobody else has taken it over.
//
// Parameters: $realm, $now, $job, $run, $properties
// Returns: id
// Access: write

CYPHER 25
MERGE (run:Run {realm: $realm, id: $run})
ON CREATE SET run.kind = 'maintenance', run.job = $job, run.at = $now, run.started_at = $now
SET run += $properties, run.finished_at = $now
WITH run
OPTIONAL MATCH (lease:Cursor {realm: $realm, id: 'maintenance/' + $job})
WHERE lease.run = run.id
REMOVE lease.run, lease.lease_until
RETURN run.id AS id

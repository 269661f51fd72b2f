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
SET lease.locked_at = $now
FOREACH (mine IN CASE WHEN lease.run = run.id THEN [lease] ELSE [] END |
  REMOVE mine.run, mine.lease_until)
RETURN run.id AS id

// Lengthens the lease of a job that is still running.
//
// Parameters: $realm, $job, $run, $until
// Returns: nothing
// Access: write

CYPHER 25
MATCH (lease:Cursor {realm: $realm, id: 'maintenance/' + $job})
WHERE lease.run = $run
SET lease.lease_until = $until

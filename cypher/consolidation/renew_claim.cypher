// Lengthens the lease of a run that is still at work.
//
// Parameters: $realm, $run, $until
// Returns: run (id of the run)
// Access: write

CYPHER 25
MATCH (claim:Cursor {realm: $realm, id: 'claim:' + $run})
SET claim.lease_until = $until
RETURN claim.run AS run

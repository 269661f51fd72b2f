// Stars in buckets: what the daily close walks in batches.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX star_bucket IF NOT EXISTS
FOR (n:Star) ON (n.realm, n.bucket)

// Runs a decay pass: from now on, interactions build on the decay up to this time.
//
// Touches no memory. Passes are kept, the last 10,000, so that a replay of the evidence gives the
// same result.
//
// Parameters: $realm, $now, $moment
// Returns: passes (number of passes that are kept)
// Access: write
// Locks: the Cursor 'decay'

CYPHER 25
MERGE (decay:Cursor {realm: $realm, id: 'decay'})
SET decay.locked_at = $now
WITH decay, coalesce(decay.passes, []) AS passes
SET decay.passes = CASE WHEN $moment IN passes THEN passes
                        ELSE coll.sort(passes + $moment)[-10000..] END
RETURN size(decay.passes) AS passes

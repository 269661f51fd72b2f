// A decay pass: from now on, interactions build on what decay had left at this time.
//
// Touches no memory; passes are kept, so that a replay of the evidence gives the same result.
//
// Parameters: $realm, $now, $moment
// Returns: passes
// Access: write

CYPHER 25
MERGE (decay:Cursor {realm: $realm, id: 'decay'})
SET decay.locked_at = $now
WITH decay, coalesce(decay.passes, []) AS passes
SET decay.passes = CASE WHEN $moment IN passes THEN passes ELSE coll.sort(passes + $moment)[-10000..] END
RETURN size(decay.passes) AS passes

// Lets texts that had been set aside wait again.
//
// Parameters: $realm
// Returns: again
// Access: write

CYPHER 25
MATCH (m:Memory) WHERE m.realm = $realm AND m.set_aside IS NOT NULL
WITH m ORDER BY m.id
SET m.waiting = true, m.unembedded = true
REMOVE m.set_aside
RETURN count(m) AS again

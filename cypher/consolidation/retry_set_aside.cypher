// Lets texts that had been set aside wait again.
//
// Parameters: $realm
// Returns: again (number of texts that wait again)
// Access: write

CYPHER 25
MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.set_aside IS NOT NULL
WITH memory ORDER BY memory.id
SET memory.waiting = true, memory.unembedded = true
REMOVE memory.set_aside
RETURN count(memory) AS again

// Returns the stars that are about to take another state.
//
// Parameters: $realm
// Returns: id (star id), after (state to take)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.next_state IS NOT NULL
RETURN star.id AS id, star.next_state AS after ORDER BY id

// Reads the recorded sessions with texts that have no vector yet, by id.
//
// Parameters: $realm
// Returns: id (id of the session)
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm})
  USING INDEX SEEK session:Session(realm, unembedded)
WHERE session.unembedded > 0 AND session.run_id IS NOT NULL
RETURN session.id AS id
ORDER BY id

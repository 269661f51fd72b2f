// Removes the run of a session before its nodes are deleted.
//
// An interrupted deletion is then never mistaken for a recorded session.
//
// Parameters: $realm, $session_id
// Returns: actor_ids (actors of the session's intents)
// Access: write

CYPHER 25
OPTIONAL MATCH (session:Session {realm: $realm, id: $session_id})
FOREACH (_ IN CASE WHEN session IS NULL THEN [] ELSE [1] END |
  REMOVE session.run_id)
WITH count(*) AS once
OPTIONAL MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.actor IS NOT NULL
RETURN collect(DISTINCT intent.actor) AS actor_ids

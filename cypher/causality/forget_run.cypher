// Takes the run off a session, before its nodes go.
//
// An interrupted forgetting is then never mistaken for a recorded session.
//
// Parameters: $realm, $session_id
// Returns: actor_ids
// Access: write

CYPHER 25
OPTIONAL MATCH (session:Session {realm: $realm, id: $session_id})
FOREACH (known IN CASE WHEN session IS NULL THEN [] ELSE [session] END |
  REMOVE known.run_id)
WITH count(*) AS once
OPTIONAL MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.actor IS NOT NULL
RETURN collect(DISTINCT intent.actor) AS actor_ids

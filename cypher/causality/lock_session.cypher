// Locks a session for this transaction, and reads the run that it holds by now.
//
// A session may be there already without a run: memories belong to sessions too. The property that
// takes the lock is removed again, because a session of memories alone has to stay as it was.
//
// Parameters: $realm, $session_id, $now
// Returns: run_id (null for a session without a recording), actor_ids (actors of its intents)
// Access: write
// Locks: the Session node

CYPHER 25
MERGE (session:Session {realm: $realm, id: $session_id})
ON CREATE SET session.caption = $session_id
SET session.locked_at = $now
REMOVE session.locked_at
WITH session
OPTIONAL MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.actor IS NOT NULL
RETURN session.run_id AS run_id, collect(DISTINCT intent.actor) AS actor_ids

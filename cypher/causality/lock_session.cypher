// Takes the session for this transaction, and says which run it holds by now, and whose.
//
// A session may be there already without a run: memories belong to sessions too. The property
// that is set and removed makes the writers of one session wait for each other.
//
// Parameters: $realm, $session_id
// Returns: run_id, actor_ids
// Access: write

CYPHER 25
MERGE (session:Session {realm: $realm, id: $session_id})
ON CREATE SET session.caption = $session_id
SET session.taken = true
REMOVE session.taken
WITH session
OPTIONAL MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.actor IS NOT NULL
RETURN session.run_id AS run_id, collect(DISTINCT intent.actor) AS actor_ids

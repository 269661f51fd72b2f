// Takes a session off the list of those that wait for vectors, if all its lines have one.
//
// Parameters: $realm, $now, $session_id
// Returns: nothing
// Access: write
// Locks: the Session node

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
SET session.locked_at = $now
REMOVE session.locked_at
WITH session
WHERE NOT EXISTS {
    MATCH (intent:Intent {realm: $realm, session_id: $session_id})
    WHERE intent.anchor_index IS NOT NULL AND intent.embedding IS NULL
  } AND NOT EXISTS {
    MATCH (consequence:Consequence {realm: $realm, session_id: $session_id})
    WHERE consequence.anchor_index IS NOT NULL AND consequence.embedding IS NULL
  }
REMOVE session.unembedded

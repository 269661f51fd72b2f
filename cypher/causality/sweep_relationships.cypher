// Removes relationships of a session that its newest run did not touch, some at a time.
//
// Parameters: $realm, $session_id, $run_id, $limit
// Returns: swept (number of relationships, the limit if there may be more)
// Access: write

CYPHER 25
MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.anchor_index IS NOT NULL
MATCH (intent)-[old:ATTEMPTED|CAUSES|PROMPTS]-()
WHERE old.run_id <> $run_id
WITH old
LIMIT $limit
DELETE old
RETURN count(*) AS swept

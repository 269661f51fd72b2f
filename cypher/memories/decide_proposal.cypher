// Writes whether a proposal was accepted or dismissed, and when. It keeps its first time.
//
// Parameters: $realm, $now, $proposal, $state
// Returns: decided (number of proposals with that id)
// Access: write
// Locks: the Cursor 'texts'

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
MATCH ()-[update:MAY_UPDATE]->()
WHERE update.realm = $realm AND update.proposal = $proposal
SET update.decided_at = CASE WHEN update.state = $state THEN update.decided_at ELSE $now END,
    update.state = $state
RETURN count(update) AS decided

// Stores the run and the totals of a session: the last step of a recording.
//
// Parameters: $realm, $session_id, $now, $props, $embeds
// Returns: unembedded (number of texts that wait for a vector, 0 if none is to be made)
// Access: write

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE $embeds AND node.anchor_index IS NOT NULL AND node.embedding IS NULL
  RETURN count(*) AS intents
}
CALL () {
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE $embeds AND node.anchor_index IS NOT NULL AND node.embedding IS NULL
  RETURN count(*) AS consequences
}
LET unembedded = intents + consequences
SET session += $props, session.recorded_at = $now,
    session.unembedded = CASE WHEN unembedded > 0 THEN unembedded END
RETURN unembedded

// Strong intents of a session that nothing answered, and why.
//
// In Browser first:
//   :param {realm: 'default', session_id: 'my-session'}
//
// Parameters: $realm, $session_id
// Returns: line, actor, type, attempt, reason
// Access: read

CYPHER 25
MATCH (intent:Intent {realm: $realm, session_id: $session_id, strength: 'strong'})
WHERE NOT intent.claimed
RETURN intent.anchor_index AS line, intent.actor AS actor, intent.type AS type,
       intent.text AS attempt, intent.claim_reason AS reason
ORDER BY line

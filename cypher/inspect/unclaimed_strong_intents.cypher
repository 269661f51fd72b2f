// The strong intents of a session that nothing answered, and the reasons.
//
// Parameters: $realm, $session_id
// Returns: line (line of the intent), actor (id of the player), type (of the intent),
//   attempt (its text), reason (why it claims nothing)
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (intent:Intent {realm: $realm, session_id: $session_id, strength: 'strong'})
WHERE NOT intent.claimed
RETURN intent.anchor_index AS line, intent.actor AS actor, intent.type AS type,
       intent.text AS attempt, intent.claim_reason AS reason
ORDER BY line

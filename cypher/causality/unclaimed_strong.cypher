// Reads the strong intents that nothing answered, with the reason.
//
// Parameters: $realm, $session_ids
// Returns: session_id (id of the session), id (of the intent), anchor_index (its line),
//   actor (id of the player), type (of the intent), text (of its line),
//   reason (for which it claims nothing)
// Access: read

CYPHER 25
UNWIND $session_ids AS session_id
MATCH (intent:Intent {realm: $realm, session_id: session_id, strength: 'strong'})
WHERE NOT intent.claimed
RETURN intent.session_id AS session_id, intent.id AS id, intent.anchor_index AS anchor_index,
       intent.actor AS actor, intent.type AS type, intent.text AS text,
       intent.claim_reason AS reason
ORDER BY session_id, anchor_index

// Indexes the sessions of causality.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// consequence_anchor: consequences of a session by line.
CREATE INDEX consequence_anchor IF NOT EXISTS
FOR (n:Consequence) ON (n.realm, n.session_id, n.anchor_index);

// intent_actor: intents of a session by who attempted them.
CREATE INDEX intent_actor IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.actor);

// intent_anchor: intents of a session by line.
CREATE INDEX intent_anchor IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.anchor_index);

// intent_strength: intents of a session by strength.
CREATE INDEX intent_strength IF NOT EXISTS
FOR (n:Intent) ON (n.realm, n.session_id, n.strength);

// utterance_line: utterances of a session by line.
CREATE INDEX utterance_line IF NOT EXISTS
FOR (n:Utterance) ON (n.realm, n.session_id, n.line_index);

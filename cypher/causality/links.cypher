// The causal links of a session in the order of their lines, unclaimed ones too.
//
// Parameters: $realm, $session_id, $actor, $strength, $max_line_gap, $event_id
// Returns: id, session_id, actor, intent_text, intent_type, intent_strength,
//   intent_anchor_index, consequence_text, consequence_type, consequence_anchor_index,
//   distance, score, claimed, created_at_ms, intent_event_id, consequence_event_id
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
WHERE session.run_id IS NOT NULL
MATCH (intent:Intent {realm: $realm, session_id: $session_id})
WHERE intent.anchor_index IS NOT NULL
  AND ($actor IS NULL OR intent.actor = $actor)
  AND ($strength IS NULL OR intent.strength = $strength)
OPTIONAL MATCH (intent)-[causes:CAUSES]->(consequence:Consequence)
WITH intent, causes, consequence
WHERE ($max_line_gap IS NULL OR causes.line_gap <= $max_line_gap)
  AND ($event_id IS NULL OR intent.event_id = $event_id OR consequence.event_id = $event_id)
RETURN intent.id AS id, intent.session_id AS session_id, intent.actor AS actor,
       intent.text AS intent_text, intent.type AS intent_type,
       intent.strength AS intent_strength, intent.anchor_index AS intent_anchor_index,
       consequence.text AS consequence_text,
       coalesce(consequence.type, 'none') AS consequence_type,
       consequence.anchor_index AS consequence_anchor_index,
       causes.distance AS distance, causes.score AS score, intent.claimed AS claimed,
       intent.created_at_ms AS created_at_ms, intent.event_id AS intent_event_id,
       consequence.event_id AS consequence_event_id
ORDER BY intent_anchor_index

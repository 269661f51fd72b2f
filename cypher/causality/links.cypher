// Reads the causal links of a session in the order of their lines, unclaimed ones too.
//
// Parameters: $realm, $session_id, $actor, $strength, $max_line_gap, $event_id
// Returns: id (of the intent and its link), session_id (id of the session),
//   actor (id of the player), intent_text (text of the intent), intent_type (kind of intent),
//   intent_strength (strong or weak), intent_anchor_index (line of the intent),
//   consequence_text (null if unclaimed), consequence_type (none if unclaimed),
//   consequence_anchor_index (line of the consequence), distance (in DM lines),
//   score (score of the claim or null), claimed (true if a consequence answers it),
//   created_at_ms (time of the recording), intent_event_id (event that the intent lies in),
//   consequence_event_id (event that the consequence lies in),
//   consequence_id (id of the consequence or null), throw_skill (skill of the throw that decided),
//   throw_number (number of this throw)
// Access: read

CYPHER 25
// links: intents of the session with their consequences, as far as the filters let them through
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
// rows: the fields of a link
RETURN intent.id AS id, intent.session_id AS session_id, intent.actor AS actor,
       intent.text AS intent_text, intent.type AS intent_type,
       intent.strength AS intent_strength, intent.anchor_index AS intent_anchor_index,
       consequence.text AS consequence_text,
       coalesce(consequence.type, 'none') AS consequence_type,
       consequence.anchor_index AS consequence_anchor_index,
       causes.distance AS distance, causes.score AS score, intent.claimed AS claimed,
       intent.created_at_ms AS created_at_ms, intent.event_id AS intent_event_id,
       consequence.event_id AS consequence_event_id, consequence.id AS consequence_id,
       causes.throw_skill AS throw_skill, causes.throw_number AS throw_number
ORDER BY intent_anchor_index

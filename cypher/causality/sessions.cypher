// Reads every recorded session, by id.
//
// Parameters: $realm
// Returns: id (id of the session), run_id (of the recording), lines (number),
//   intents (number of stored ones), claimed (number), recorded_at (time of the recording)
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm})
WHERE session.id IS NOT NULL AND session.run_id IS NOT NULL
RETURN session.id AS id, session.run_id AS run_id, session.lines AS lines,
       session.intents AS intents, session.claimed AS claimed,
       session.recorded_at AS recorded_at
ORDER BY id

// Every session that has been recorded, by id.
//
// Parameters: $realm
// Returns: id, run_id, lines, intents, claimed, dropped, recorded_at
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm})
WHERE session.id IS NOT NULL AND session.run_id IS NOT NULL
RETURN session.id AS id, session.run_id AS run_id, session.lines AS lines,
       session.intents AS intents, session.claimed AS claimed,
       session.dropped AS dropped, session.recorded_at AS recorded_at
ORDER BY id

// What is recorded of a session: its run, its inputs, its totals.
//
// Parameters: $realm, $session_id
// Returns: run_id, kernel_version, params, options, masks, roster, dm, given, events, dropped,
//   lines, dm_lines, eligible_lines, intents, claimed, consequences, prompts, utterances,
//   opening, first_line, last_line, recorded_at
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
WHERE session.run_id IS NOT NULL
RETURN session.run_id AS run_id, session.kernel_version AS kernel_version,
       session.params AS params, session.options AS options, session.masks AS masks,
       session.roster AS roster, session.dm AS dm, session.given AS given,
       session.events AS events, session.dropped AS dropped,
       session.lines AS lines, session.dm_lines AS dm_lines,
       session.eligible_lines AS eligible_lines, session.intents AS intents,
       session.claimed AS claimed, session.consequences AS consequences,
       session.prompts AS prompts, session.utterances AS utterances,
       session.opening AS opening, session.first_line AS first_line,
       session.last_line AS last_line, session.recorded_at AS recorded_at

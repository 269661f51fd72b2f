// Reads the recording of a session: its run, its inputs, its totals.
//
// Parameters: $realm, $session_id
// Returns: run_id (changes with anything that could change the links),
//   kernel_version (version of the rules it was recorded by),
//   params (JSON: parameters of the kernel), options (JSON: parts of the session that are stored),
//   masks (JSON: excluded ranges), roster (JSON: players), dm (names of the DM),
//   given_intents (JSON: intents that were not detected here, null if they were),
//   events (JSON: events that own lines), dropped_intents (JSON: counts of intents not stored),
//   lines (number), dm_lines (number), eligible_lines (number), intents (number of stored ones),
//   claimed (number), consequences (number), prompts (number), utterances (number of stored lines),
//   opening (a hash of each of the first lines), first_line (least line index),
//   last_line (greatest line index), recorded_at (time of the recording),
//   unembedded (number of texts that waited for vectors then; null if all have one)
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session_id})
WHERE session.run_id IS NOT NULL
RETURN session.run_id AS run_id, session.kernel_version AS kernel_version,
       session.params AS params, session.options AS options, session.masks AS masks,
       session.roster AS roster, session.dm AS dm, session.given_intents AS given_intents,
       session.events AS events, session.dropped_intents AS dropped_intents,
       session.lines AS lines, session.dm_lines AS dm_lines,
       session.eligible_lines AS eligible_lines, session.intents AS intents,
       session.claimed AS claimed, session.consequences AS consequences,
       session.prompts AS prompts, session.utterances AS utterances,
       session.opening AS opening, session.first_line AS first_line,
       session.last_line AS last_line, session.recorded_at AS recorded_at,
       session.unembedded AS unembedded

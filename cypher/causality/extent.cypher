// Reads the ends and the first lines of a session from its stored lines.
//
// For sessions that were recorded before their node had these.
//
// Parameters: $realm, $session_id, $count
// Returns: first_line (least line index), last_line (greatest line index),
//   opening (line_index, author_name and content of each of the first lines)
// Access: read

CYPHER 25
MATCH (utterance:Utterance {realm: $realm, session_id: $session_id})
WHERE utterance.line_index IS NOT NULL
WITH utterance ORDER BY utterance.line_index
RETURN min(utterance.line_index) AS first_line, max(utterance.line_index) AS last_line,
       collect(utterance {.line_index, .author_name, .content})[..$count] AS opening

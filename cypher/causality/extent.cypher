// Where the kept lines of a session begin and end, and the first of them.
//
// `opening` has line_index, author_name and content of each of the first lines. For sessions that were recorded before their node carried this.
//
// Parameters: $realm, $session_id, $count
// Returns: first_line, last_line, opening
// Access: read

CYPHER 25
MATCH (utterance:Utterance {realm: $realm, session_id: $session_id})
WHERE utterance.line_index IS NOT NULL
WITH utterance ORDER BY utterance.line_index
RETURN min(utterance.line_index) AS first_line, max(utterance.line_index) AS last_line,
       collect(utterance {.line_index, .author_name, .content})[..$count] AS opening

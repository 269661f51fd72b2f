// Reads the lines of a recorded session, in order.
//
// Parameters: $realm, $session_id
// Returns: line_index (place of the line in the session), author_name (the speaker),
//   content (the text)
// Access: read

CYPHER 25
MATCH (utterance:Utterance {realm: $realm, session_id: $session_id})
WHERE utterance.line_index IS NOT NULL
RETURN utterance.line_index AS line_index, utterance.author_name AS author_name,
       utterance.content AS content
ORDER BY line_index

// Writes the lines of a transcript.
//
// Parameters: $realm, $session_id, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (utterance:Utterance {realm: $realm, id: row.id})
SET utterance.session_id = $session_id, utterance.line_index = row.line_index,
    utterance.author_name = row.author_name, utterance.content = row.content,
    utterance.caption = row.caption, utterance.run_id = $run_id

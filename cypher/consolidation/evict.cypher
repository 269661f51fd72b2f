// Keeps the notes of pairs few: over the limit, those seen least and longest ago go.
//
// Parameters: $realm, $now, $settings
// Returns: evicted
// Access: write

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
MATCH (note:Candidate) WHERE note.realm = $realm AND note.id STARTS WITH 'together:'
WITH note ORDER BY note.count, note.seen_at, note.id
WITH collect(note) AS notes
WITH CASE WHEN size(notes) > $settings.co_occurs_staged
          THEN notes[..size(notes) - toInteger($settings.co_occurs_staged * 0.9)] ELSE [] END AS surplus
FOREACH (note IN surplus | DETACH DELETE note)
RETURN size(surplus) AS evicted

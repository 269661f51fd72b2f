// What repeated a memory that is forgotten stands for itself again: it waits, and can be asked for.
//
// Parameters: $realm, $realm_key, $ids
// Returns: id, about, speaker, text, session, noted_words
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
SET m.state = 'live', m.waiting = true, m.noted = true, m.realm_key = $realm_key,
    m.unembedded = CASE WHEN m.embedding IS NULL THEN true END,
    m.archive_at = CASE
      WHEN m.strength <= m.archive_below THEN m.anchor
      ELSE toInteger(ceil((m.anchor + 1e6 / m.rate * log(m.strength / m.archive_below)) / 6e7)) * 60000000 END
REMOVE m:Archived, m.duplicate_of, m.rejected_at, m.consolidated_by, m.archived_at
RETURN m.id AS id, m.about AS about, m.speaker AS speaker, m.text AS text, m.session AS session,
       m.noted_words AS noted_words

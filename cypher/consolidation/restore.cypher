// Lets duplicates that say something of their own wait for consolidation again.
//
// Parameters: $realm, $now, $realm_key, $ids
// Returns: id, about, speaker, text, session, noted_words
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
  USING INDEX SEEK m:Memory(realm, id)
SET m.locked_at = $now
WITH m WHERE m.duplicate_of IS NOT NULL
SET m.state = 'live', m.waiting = true, m.noted = true, m.realm_key = $realm_key,
    m.unembedded = CASE WHEN m.embedding IS NULL THEN true END
REMOVE m:Archived, m.duplicate_of, m.rejected_at, m.consolidated_by
RETURN m.id AS id, m.about AS about, m.speaker AS speaker, m.text AS text, m.session AS session,
       m.noted_words AS noted_words

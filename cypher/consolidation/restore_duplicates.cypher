// Lets duplicates that say something of their own wait for consolidation again.
//
// Parameters: $realm, $now, $realm_key, $ids
// Returns: id (id of the memory), about (subject that a person named or null),
//   speaker (who said it), text (the text itself), session (session in which it was said),
//   indexed_words (number of leading words indexed or null),
//   language (code of its language or null)
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
SET memory.locked_at = $now
WITH memory WHERE memory.duplicate_of IS NOT NULL
SET memory.state = 'live', memory.waiting = true,
    memory.indexed = true, memory.realm_key = $realm_key,
    memory.unembedded = CASE WHEN memory.embedding IS NULL THEN true END
REMOVE memory:Archived, memory.duplicate_of, memory.rejected_at, memory.consolidated_by
RETURN memory.id AS id, memory.about AS about, memory.speaker AS speaker, memory.text AS text,
       memory.session AS session, memory.indexed_words AS indexed_words,
       memory.language AS language

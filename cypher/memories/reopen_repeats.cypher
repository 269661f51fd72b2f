// Lets the repeats of a memory that is forgotten wait again, each for itself.
//
// Parameters: $realm, $realm_key, $ids
// Returns: id (id of the memory), about (subject that a person named or null),
//   speaker (who said it), text (the text itself), session (session in which it was said),
//   indexed_words (number of leading words indexed or null),
//   language (code of its language or null)
// Access: write
// Locks: nothing more; the caller holds these memories

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
SET memory.state = 'live', memory.waiting = true, memory.indexed = true,
    memory.realm_key = $realm_key,
    memory.unembedded = CASE WHEN memory.embedding IS NULL THEN true END,
    memory.archive_at = CASE
      WHEN memory.strength <= memory.archive_below THEN memory.anchor
      ELSE toInteger(ceil((memory.anchor + 1e6 / memory.rate
                           * log(memory.strength / memory.archive_below)) / 6e7)) * 60000000 END
REMOVE memory:Archived, memory.duplicate_of, memory.rejected_at, memory.consolidated_by,
       memory.archived_at
RETURN memory.id AS id, memory.about AS about, memory.speaker AS speaker, memory.text AS text,
       memory.session AS session, memory.indexed_words AS indexed_words,
       memory.language AS language

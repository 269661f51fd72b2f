// Reads the indexed ones of some text memories, as far as their index entries follow from it.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), about (subject that a person named or null),
//   speaker (who said it), text (the text itself),
//   indexed_words (number of leading words indexed or null),
//   language (code of its language or null)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
WHERE memory.indexed
RETURN memory.id AS id, memory.about AS about, memory.speaker AS speaker, memory.text AS text,
       memory.indexed_words AS indexed_words,
       memory.language AS language

// What text memories say, as far as their notes follow from it.
//
// Parameters: $realm, $ids
// Returns: id, about, speaker, text, noted_words
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
WHERE m.noted
RETURN m.id AS id, m.about AS about, m.speaker AS speaker, m.text AS text,
       m.noted_words AS noted_words

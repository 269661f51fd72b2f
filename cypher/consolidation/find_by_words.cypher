// Finds the memories that have each of some rare words, with what they can be compared by.
//
// They are consolidated or of the batch, and not superseded. One row for each speaker and title.
//
// Parameters: $realm, $stems, $ids
// Returns: stem (the word), speaker (who said them: a speaker, else an actor, or null),
//   about (their title or null), members (ids of the memories)
// Access: read

CYPHER 25
UNWIND $stems AS stem
MATCH (term:Term {realm: $realm, stem: stem})
  USING INDEX SEEK term:Term(realm, stem)
MATCH (term)<-[:HAS_TERM]-(memory:Memory)
WHERE (memory.promoted_seq IS NOT NULL OR memory.id IN $ids) AND memory.superseded_by IS NULL
WITH stem, coalesce(memory.speaker, memory.actor) AS speaker, memory.about AS about,
     collect(memory.id) AS members
RETURN stem, speaker, about, members

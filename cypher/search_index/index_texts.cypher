// Indexes new text memories: the names they mention, their subjects, their rare words, the counts.
//
// Whoever runs this holds the turn of the texts, so every count is exact.
// A word that is no longer rare, or a function word there, is counted but not connected, for no hop
// goes over it.
//
// Parameters: $realm, $now, $settings, $realm_key, $count, $ids, $names, $terms,
//   $languages
// Returns: names (number of names counted), terms (number of words counted)
// Access: write

CYPHER 25
// The new memories, in the order of $ids: memories.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN collect(memory) AS memories
}
// Names, counted and connected: names.
CALL (memories) {
  UNWIND $names AS row
  MERGE (name:Name {realm: $realm, key: row.key})
  ON CREATE SET name.memory_count = 0, name.caption = row.key
  SET name.memory_count = name.memory_count + size(row.places)
  CALL (memories, name, row) {
    UNWIND row.places AS place
    LET memory = memories[place]
    CREATE (memory)-[:MENTIONS]->(name)
  }
  CALL (memories, name, row) {
    UNWIND row.subject AS place
    LET memory = memories[place]
    CREATE (memory)-[:ABOUT]->(name)
  }
  RETURN count(name) AS names
}
// Words, counted, and connected while they are rare: terms.
CALL (memories) {
  UNWIND $terms AS row
  MERGE (term:Term {realm: $realm, stem: row.stem})
  ON CREATE SET term.memory_count = 0, term.caption = row.stem
  LET rare = term.memory_count + size(row.places) <= $settings.tied_words
  SET term.memory_count = term.memory_count + size(row.places)
  CALL (memories, term, row, rare) {
    UNWIND CASE WHEN rare THEN row.rare ELSE [] END AS place
    LET memory = memories[place]
    CREATE (memory)-[:HAS_TERM]->(term)
  }
  RETURN count(term) AS terms
}
// The realm counts its texts and their words, and notes their languages.
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
SET realm.text_count = coalesce(realm.text_count, 0) + $count,
    realm.word_count = reduce(sum = coalesce(realm.word_count, 0), memory IN memories |
                              sum + coalesce(memory.word_count, 0))
FOREACH (_ IN CASE WHEN all(code IN $languages WHERE code IN coalesce(realm.languages, []))
                   THEN [] ELSE [1] END |
  SET realm.languages = coll.sort(coll.distinct(coalesce(realm.languages, []) + $languages)))
RETURN names, terms

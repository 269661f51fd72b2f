// Takes text memories out of the search index: names, subjects, words, sessions, counts.
//
// For memories that are forgotten or that turned out to repeat another. A second time changes
// nothing. A name or word that no memory has any more goes, and a session closes the gap, one
// memory at a time. Whoever runs this holds the turn of the texts, these memories and those next
// to them.
//
// With $stays they keep their places in their sessions, to be indexed again.
//
// Parameters: $realm, $now, $settings, $ids, $terms, $stays
// Returns: withdrawn (number of texts taken out), names (number of names removed),
//   terms (number of words removed)
// Access: write

CYPHER 25
// 1. The indexed ones among the memories, no longer indexed: memories.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  SET memory.locked_at = $now
  WITH memory WHERE memory.indexed
  SET memory.indexed = null, memory.realm_key = null
  RETURN collect(memory) AS memories
}
// 2. Their sessions without them: sessions.
CALL (memories) {
  UNWIND CASE WHEN $stays THEN [] ELSE memories END AS memory
  MATCH (memory)-[:IN_SESSION]->(session:Session)
  WITH memory, session ORDER BY session.id
  CALL (memory, session) {
    SET session.arrivals = session.arrivals - 1
    WITH memory, session
    MATCH (memory)-[member:IN_SESSION]->(session)
    OPTIONAL MATCH (before:Memory)-[earlier:NEXT]->(memory)
    OPTIONAL MATCH (memory)-[later:NEXT]->(after:Memory)
    DELETE member, earlier, later
    FOREACH (_ IN CASE WHEN before.id <> after.id THEN [1] ELSE [] END |
      CREATE (before)-[:NEXT]->(after))
    FOREACH (_ IN CASE WHEN session.latest_memory = memory.id THEN [1] ELSE [] END |
      SET session.latest_memory = before.id)
  }
  RETURN collect(session) AS sessions
}
// 3. Names they mention, counted down, exactly where they are few: names.
CALL (memories) {
  UNWIND memories AS memory
  MATCH (memory)-[mention:MENTIONS]->(name:Name)
  WITH name, collect(mention) AS mentions ORDER BY name.key
  SET name.memory_count = name.memory_count - size(mentions)
  FOREACH (mention IN mentions | DELETE mention)
  FOREACH (_ IN CASE WHEN name.memory_count < $settings.exact_counts THEN [1] ELSE [] END |
    SET name.memory_count = COUNT { (name)<-[:MENTIONS]-() })
  RETURN collect(name) AS names
}
CALL (memories) {
  UNWIND memories AS memory
  MATCH (memory)-[link:ABOUT|HAS_TERM]->()
  DELETE link
  RETURN count(*) AS links
}
// 4. Their words, counted down, and removed where no memory has them: terms.
CALL (memories) {
  UNWIND $terms AS row
  MATCH (term:Term {realm: $realm, stem: row.stem})
    USING INDEX SEEK term:Term(realm, stem)
  LET leaving = size([memory IN memories WHERE memory.id IN row.ids])
  SET term.memory_count = term.memory_count - leaving
  WITH term WHERE term.memory_count <= 0 AND NOT EXISTS { (term)<-[:HAS_TERM]-() }
  DETACH DELETE term
  RETURN count(*) AS terms
}
// 5. Names that nobody mentions and sessions that nothing holds any more go.
LET unnamed = [name IN names WHERE NOT EXISTS { (name)<-[:MENTIONS]-() }],
    empty = [session IN sessions
             WHERE session.arrivals = 0 AND session.run_id IS NULL
               AND NOT EXISTS { (session)--() }]
FOREACH (name IN unnamed | DETACH DELETE name)
FOREACH (session IN empty | DELETE session)
// 6. The realm counts its texts and their words.
WITH size(memories) AS withdrawn, size(unnamed) AS names, terms,
     reduce(sum = 0, memory IN memories | sum + coalesce(memory.word_count, 0)) AS words
MATCH (realm:Realm {realm: $realm})
SET realm.text_count = realm.text_count - withdrawn,
    realm.word_count = coalesce(realm.word_count, 0) - words
RETURN withdrawn, names, terms

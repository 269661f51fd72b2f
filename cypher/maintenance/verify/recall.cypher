// Reads counts, words and sessions of texts that do not agree with the memories.
//
// A count is exact up to a limit. A word that was common once is not joined to all texts that
// contain it, so it may count more than are joined, but never fewer.
//
// Parameters: $realm, $settings, $exact_counts
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read

CYPHER 25
// 1. counts of names, words and texts, and memories of pinned questions
CALL () {
  MATCH (name:Name) WHERE name.realm = $realm AND name.key IS NOT NULL
    AND (name.memory_count IS NULL OR name.memory_count < $exact_counts)
  WITH name, COUNT { (name)<-[:MENTIONS]-() } AS memories
  WHERE coalesce(memories <> name.memory_count, true)
  RETURN 'a name is counted right' AS rule, name.key AS id,
         toStringOrNull(name.memory_count) AS value, toString(memories) AS expected
UNION ALL
  MATCH (term:Term) WHERE term.realm = $realm AND term.stem IS NOT NULL
    AND (term.memory_count IS NULL OR term.memory_count * 2 < $exact_counts)
  WITH term, COUNT { (term)<-[:HAS_TERM]-() } AS memories
  WHERE coalesce(memories > term.memory_count, true)
  RETURN 'a word is counted right' AS rule, term.stem AS id,
         toStringOrNull(term.memory_count) AS value, 'at least ' + memories AS expected
UNION ALL
  MATCH (realm:Realm {realm: $realm})
  WITH realm, coalesce(realm.text_count, 0) AS counted, COUNT {
    MATCH (text:Memory) WHERE text.realm = $realm AND text.id IS NOT NULL AND text.indexed
  } AS indexed
  WHERE indexed <> counted
  RETURN 'the realm counts its texts' AS rule, $realm AS id, toString(counted) AS value,
         toString(indexed) AS expected
UNION ALL
  MATCH (realm:Realm {realm: $realm})
  WITH realm, coalesce(realm.word_count, 0) AS counted, COLLECT {
    MATCH (text:Memory) WHERE text.realm = $realm AND text.id IS NOT NULL AND text.indexed
    RETURN sum(text.word_count)
  }[0] AS words
  WHERE words <> counted
  RETURN 'the realm counts the words of its texts' AS rule, $realm AS id,
         toString(counted) AS value, toString(words) AS expected
UNION ALL
  MATCH (expectation:Expectation)
  WHERE expectation.realm = $realm AND expectation.id IS NOT NULL
  UNWIND expectation.must + expectation.must_not AS memory_id
  WITH expectation, memory_id
  WHERE NOT EXISTS { MATCH (memory:Memory {realm: $realm, id: memory_id}) }
  RETURN 'a pinned question names memories that are there' AS rule, expectation.id AS id,
         memory_id AS value, 'a memory' AS expected
UNION ALL
// 2. each text by itself: its entry in the index, its place in its session
  MATCH (realm:Realm {realm: $realm})
  MATCH (text:Memory) WHERE text.realm = $realm AND text.id IS NOT NULL AND text.kind = 'text'
  UNWIND [
    CASE WHEN coalesce(text.indexed, false)
        <> (coalesce(text.realm_key, '') = realm.realm_key) THEN {
      rule: 'what is noted is found by its realm', value: text.realm_key,
      expected: realm.realm_key} END,
    CASE WHEN coalesce(text.indexed, false) = (text.state = 'duplicate') THEN {
      rule: 'a text is noted unless it is a duplicate', value: toStringOrNull(text.indexed),
      expected: toString(text.state <> 'duplicate')} END,
    CASE WHEN COUNT { (text)-[:IN_SESSION]->() }
        <> CASE WHEN text.indexed AND text.session IS NOT NULL THEN 1 ELSE 0 END THEN {
      rule: 'a text is in its session once',
      value: toString(COUNT { (text)-[:IN_SESSION]->() }), expected: text.session} END,
    CASE WHEN COUNT { (text)-[:NEXT]->() } > 1 OR COUNT { (text)<-[:NEXT]-() } > 1
        OR EXISTS { (text)-[:NEXT]->(text) } THEN {
      rule: 'the order of a session has no branches',
      value: COUNT { (text)-[:NEXT]-() } + ' neighbours', expected: 'one before, one after'} END,
    CASE WHEN EXISTS { MATCH (text)-[:NEXT]->(after)
        WHERE after.session IS NULL OR text.session IS NULL
          OR after.session <> text.session } THEN {
      rule: 'the order stays within a session', value: 'another session',
      expected: text.session} END
  ] AS offence
  WITH text, offence WHERE offence IS NOT NULL
  RETURN offence.rule AS rule, text.id AS id, offence.value AS value,
         offence.expected AS expected
UNION ALL
// 3. each session: the row of its texts
  MATCH (session:Session) WHERE session.realm = $realm AND session.id IS NOT NULL
  LET members = COUNT { (session)<-[:IN_SESSION]-() },
      steps = COUNT { (session)<-[:IN_SESSION]-()-[:NEXT]->() },
      last = COLLECT { MATCH (session)<-[:IN_SESSION]-(text)
                       WHERE NOT EXISTS { (text)-[:NEXT]->() } RETURN text.id },
      arrivals = coalesce(session.arrivals, 0)
  FILTER members <> arrivals
    OR steps <> CASE WHEN members > 0 THEN members - 1 ELSE 0 END
    OR (members > 0 AND coalesce(last <> [session.latest_memory], true))
  RETURN 'a session is one row of its texts' AS rule, session.id AS id,
         members + ' texts, ' + steps + ' steps, ' + size(last) + ' ends' AS value,
         arrivals + ' texts in a row, the last ' + coalesce(session.latest_memory, 'none')
           AS expected
}
RETURN rule, id, value, expected ORDER BY rule, id LIMIT $settings.offenders

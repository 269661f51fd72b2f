// Sets down what new text memories mention, and counts it: names, subjects, words, how many.
//
// Names and words come in the order of their keys, so that writers take turns. A count is exact up
// to a limit; beyond it only some writers add, and more at a time, unless many memories come at once:
// nobody waits for a common name.
// A word that is no longer rare is counted but not connected, for it is never walked.
//
// Parameters: $realm, $now, $settings, $realm_key, $count, $ids, $names, $terms
// Returns: names, terms
// Access: write

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
    USING INDEX SEEK m:Memory(realm, id)
  RETURN collect(m) AS told
}
CALL (told) {
  UNWIND $names AS row
  MERGE (name:Name {realm: $realm, key: row.key})
  ON CREATE SET name.df = 0, name.caption = row.key
  LET step = CASE WHEN name.df < $settings.exact_counts OR $count >= $settings.sampled_counts THEN 1
        WHEN rand() * $settings.sampled_counts < 1.0 THEN $settings.sampled_counts ELSE 0 END
  CALL (row, step, name) {
    WITH * WHERE step > 0
    MATCH (held) WHERE elementId(held) = elementId(name)
    SET held.df = held.df + step * size(row.places)
  }
  CALL (told, name, row) {
    UNWIND row.places AS place
    LET m = told[place]
    CREATE (m)-[:MENTIONS]->(name)
  }
  CALL (told, name, row) {
    UNWIND row.subject AS place
    LET m = told[place]
    CREATE (m)-[:ABOUT]->(name)
  }
  RETURN count(name) AS names
}
CALL (told) {
  UNWIND $terms AS row
  MERGE (term:Term {realm: $realm, stem: row.stem})
  ON CREATE SET term.df = 0, term.caption = row.stem
  LET rare = term.df + size(row.places) <= $settings.tied_words
  LET step = CASE WHEN term.df < $settings.exact_counts OR $count >= $settings.sampled_counts THEN 1
        WHEN rand() * $settings.sampled_counts < 1.0 THEN $settings.sampled_counts ELSE 0 END
  CALL (row, step, term) {
    WITH * WHERE step > 0
    MATCH (held) WHERE elementId(held) = elementId(term)
    SET held.df = held.df + step * size(row.places)
  }
  CALL (told, term, row, rare) {
    UNWIND CASE WHEN rare THEN row.places ELSE [] END AS place
    LET m = told[place]
    CREATE (m)-[:HAS_TERM]->(term)
  }
  RETURN count(term) AS terms
}
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
SET realm.n = coalesce(realm.n, 0) + $count
RETURN names, terms

// Sets down what new text memories mention, and counts it: names, subjects, words, how many.
//
// Names and words come in the order of their keys, so that writers take turns. A count is exact up
// to a limit; beyond it only some writers add, and more at a time, unless many memories come at once:
// nobody waits for a common name.
// A word that is no longer rare is counted but not connected, for it is never walked.
//
// Parameters: $realm, $now, $settings, $realm_key, $count, $names, $terms, $subjects
// Returns: names, terms
// Access: write

CYPHER 25
CALL () {
  UNWIND $names AS row
  MERGE (name:Name {realm: $realm, key: row.key})
  ON CREATE SET name.df = 0, name.caption = row.key
  LET step = CASE WHEN name.df < $settings.exact_counts OR $count >= $settings.sampled_counts THEN 1
        WHEN rand() * $settings.sampled_counts < 1.0 THEN $settings.sampled_counts ELSE 0 END
  CALL (row, step) {
    WITH * WHERE step > 0
    MATCH (held:Name {realm: $realm, key: row.key})
    SET held.df = held.df + step * size(row.ids)
  }
  WITH name, row.ids AS ids
  UNWIND ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
  CREATE (m)-[:MENTIONS]->(name)
  RETURN count(DISTINCT name) AS names
}
CALL () {
  UNWIND $subjects AS row
  MATCH (name:Name {realm: $realm, key: row.key})
  UNWIND row.ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
  CREATE (m)-[:ABOUT]->(name)
  RETURN count(*) AS subjects
}
CALL () {
  UNWIND $terms AS row
  MERGE (term:Term {realm: $realm, stem: row.stem})
  ON CREATE SET term.df = 0, term.caption = row.stem
  LET rare = term.df < $settings.exact_counts
  LET step = CASE WHEN rare OR $count >= $settings.sampled_counts THEN 1
        WHEN rand() * $settings.sampled_counts < 1.0 THEN $settings.sampled_counts ELSE 0 END
  CALL (row, step) {
    WITH * WHERE step > 0
    MATCH (held:Term {realm: $realm, stem: row.stem})
    SET held.df = held.df + step * size(row.ids)
  }
  WITH term, row.ids AS ids WHERE rare
  UNWIND ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
  CREATE (m)-[:HAS_TERM]->(term)
  RETURN count(DISTINCT term) AS terms
}
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
SET realm.n = coalesce(realm.n, 0) + $count
RETURN names, terms

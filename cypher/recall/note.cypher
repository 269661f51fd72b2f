// Sets down what new text memories mention, and counts it: names, subjects, words, how many.
//
// Whoever runs this holds the turn of the texts, so every count is exact.
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
  SET name.df = name.df + size(row.places)
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
  SET term.df = term.df + size(row.places)
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

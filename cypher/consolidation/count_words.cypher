// Counts the memories that have each of some words.
//
// Parameters: $realm, $stems
// Returns: texts (number of texts of the realm), counts (stem and count of each word that is there)
// Access: read

CYPHER 25
OPTIONAL MATCH (realm:Realm {realm: $realm})
WITH coalesce(realm.text_count, 0) AS texts
CALL () {
  UNWIND $stems AS stem
  MATCH (term:Term {realm: $realm, stem: stem})
  RETURN collect([term.stem, term.memory_count]) AS counts
}
RETURN texts, counts

// Finds the rare words of some memories with everything that has them.
//
// Rare is a word of at least two texts, and of at most a tenth of the realm or three.
// rarity = ln(texts / texts with the word) / ln(texts)
//
// Parameters: $realm, $ids
// Returns: stem (the word), weight (its rarity squared), members (ids of the memories)
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm})
WITH toFloat(realm.text_count) AS texts
WITH texts, CASE WHEN texts > 30 THEN texts / 10 ELSE 3.0 END AS most
UNWIND $ids AS id
MATCH (own:Memory {realm: $realm, id: id})
  USING INDEX SEEK own:Memory(realm, id)
MATCH (own)-[:HAS_TERM]->(term:Term)
WHERE 1 < term.memory_count <= most AND term.memory_count < texts
WITH DISTINCT texts, term
MATCH (term)<-[:HAS_TERM]-(memory:Memory)
WITH term, (log(texts / term.memory_count) / log(texts)) ^ 2 AS weight,
     collect(memory.id) AS members
RETURN term.stem AS stem, weight, members

// Reads how much all words of some memories weigh: the root of the sum of their rarities squared.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), length (root of the sum)
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm})
WITH toFloat(realm.text_count) AS texts
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
MATCH (memory)-[:HAS_TERM]->(term:Term)
WHERE 0 < term.memory_count < texts
RETURN id, sqrt(sum((log(texts / term.memory_count) / log(texts)) ^ 2)) AS length

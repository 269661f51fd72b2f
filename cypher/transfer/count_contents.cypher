// Counts the nodes and relationships of a realm.
//
// Parameters: $realm
// Returns: nodes (how many), relationships (how many)
// Access: read

CYPHER 25
CALL () {
  MATCH (node:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run
         |Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
  WHERE node.realm = $realm AND node.id IS NOT NULL
  RETURN node
UNION ALL
  MATCH (node:Name)
    USING INDEX SEEK node:Name(realm, key)
    WHERE node.realm = $realm AND node.key IS NOT NULL RETURN node
UNION ALL
  MATCH (node:Term)
    USING INDEX SEEK node:Term(realm, stem)
    WHERE node.realm = $realm AND node.stem IS NOT NULL RETURN node
UNION ALL
  MATCH (node:Realm {realm: $realm}) RETURN node
UNION ALL
  MATCH (node:EmbeddingModel {realm: $realm}) RETURN node
}
RETURN count(node) AS nodes, sum(COUNT { (node)-->() }) AS relationships

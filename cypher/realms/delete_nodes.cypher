// Deletes every node of a realm but its own Realm node, in batches.
//
// Parameters: $realm, $settings
// Returns: deleted (1, once for each node)
// Access: batch

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
  MATCH (node:EmbeddingModel {realm: $realm}) RETURN node
}
CALL (node) {
  DETACH DELETE node
} IN TRANSACTIONS OF $settings.delete_batch ROWS
RETURN 1 AS deleted

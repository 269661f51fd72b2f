// Deletes every node of a realm but its own Realm node, in batches.
//
// Parameters: $realm, $settings
// Returns: deleted
// Access: batch

CYPHER 25
CALL () {
  MATCH (n:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run|Cursor
         |KeptStar|KeptConnection)
  WHERE n.realm = $realm AND n.id IS NOT NULL
  RETURN n
UNION ALL
  MATCH (n:Name)
    USING INDEX SEEK n:Name(realm, key)
    WHERE n.realm = $realm AND n.key IS NOT NULL RETURN n
UNION ALL
  MATCH (n:Term)
    USING INDEX SEEK n:Term(realm, stem)
    WHERE n.realm = $realm AND n.stem IS NOT NULL RETURN n
UNION ALL
  MATCH (n:EmbeddingModel {realm: $realm}) RETURN n
}
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF $settings.delete_batch ROWS
RETURN 1 AS deleted

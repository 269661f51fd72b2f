// Deletes every relationship of a realm, in batches, before its nodes go.
//
// Relationships first: a node with a million of them would not fit one transaction.
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
}
MATCH (n)-[r]->()
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF $settings.delete_batch ROWS
RETURN 1 AS deleted

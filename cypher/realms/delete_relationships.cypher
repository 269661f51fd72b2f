// Deletes every relationship of a realm, in batches, before its nodes go.
//
// Relationships first: a node with a million of them would not fit one transaction.
//
// Parameters: $realm, $settings
// Returns: deleted (1, once for each relationship)
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
}
MATCH (node)-[link]->()
CALL (link) {
  DELETE link
} IN TRANSACTIONS OF $settings.delete_batch ROWS
RETURN 1 AS deleted

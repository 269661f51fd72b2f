// How many nodes of each label and relationships of each type the realm holds.
//
// Relationships never cross realms, so counting them at their start nodes is complete.
//
// Parameters: $realm
// Returns: kind, name, count
// Access: read

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
  MATCH (n:Realm {realm: $realm}) RETURN n
UNION ALL
  MATCH (n:EmbeddingModel {realm: $realm}) RETURN n
}
CALL (n) {
  UNWIND labels(n) AS name
  RETURN 'node' AS kind, name
UNION ALL
  MATCH (n)-[r]->()
  RETURN 'relationship' AS kind, type(r) AS name
}
RETURN kind, name, count(*) AS count
ORDER BY kind, name

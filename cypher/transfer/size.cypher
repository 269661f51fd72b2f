// How many nodes and relationships a realm has.
//
// Parameters: $realm
// Returns: nodes, relationships
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
RETURN count(n) AS nodes, sum(COUNT { (n)-->() }) AS relationships

// Marks a realm as being filled from a file, unless it holds anything; says how it stands.
//
// A realm that is marked already keeps its mark: what it holds came from the file of that mark.
//
// Parameters: $realm, $now, $realm_key, $sha256, $model, $dimensions
// Returns: importing, held, other
// Access: write

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
SET realm.locked_at = $now
REMOVE realm.locked_at
WITH realm, realm.importing AS before, EXISTS {
  MATCH (n:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run|Cursor
         |KeptStar|KeptConnection)
  WHERE n.realm = $realm AND n.id IS NOT NULL
} OR EXISTS {
  MATCH (n:Name)
    USING INDEX SEEK n:Name(realm, key)
    WHERE n.realm = $realm AND n.key IS NOT NULL
} OR EXISTS {
  MATCH (n:Term)
    USING INDEX SEEK n:Term(realm, stem)
    WHERE n.realm = $realm AND n.stem IS NOT NULL
} AS held
OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
LET other = CASE WHEN [model.name, model.dimensions] <> [$model, $dimensions] THEN model.name END
FOREACH (free IN CASE WHEN before IS NULL AND NOT held AND other IS NULL THEN [realm] ELSE [] END |
  SET free.importing = $sha256)
RETURN realm.importing AS importing, held, other

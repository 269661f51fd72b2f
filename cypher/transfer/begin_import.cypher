// Marks a realm as being filled from a file, unless it holds anything.
//
// A realm that is marked already keeps its mark: what it holds came from the file of that mark.
//
// Parameters: $realm, $now, $realm_key, $sha256, $model, $dimensions
// Returns: importing (sha256 of the file that it is marked for, or null),
//   occupied (it has content), other (the model of its vectors, if that is not the file's)
// Access: write
// Locks: the Realm node

CYPHER 25
MERGE (realm:Realm {realm: $realm})
ON CREATE SET realm.realm_key = $realm_key, realm.created_at = $now, realm.caption = $realm
SET realm.locked_at = $now
REMOVE realm.locked_at

// before, occupied: an earlier mark, and if there is any content
WITH realm, realm.importing AS before, EXISTS {
  MATCH (node:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run
         |Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
  WHERE node.realm = $realm AND node.id IS NOT NULL
} OR EXISTS {
  MATCH (node:Name)
    USING INDEX SEEK node:Name(realm, key)
    WHERE node.realm = $realm AND node.key IS NOT NULL
} OR EXISTS {
  MATCH (node:Term)
    USING INDEX SEEK node:Term(realm, stem)
    WHERE node.realm = $realm AND node.stem IS NOT NULL
} AS occupied

// other: a model of the realm that is not the model of the file
OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
LET other = CASE WHEN [model.name, model.dimensions] <> [$model, $dimensions] THEN model.name END
FOREACH (_ IN CASE WHEN before IS NULL AND NOT occupied AND other IS NULL THEN [1] ELSE [] END |
  SET realm.importing = $sha256)
RETURN realm.importing AS importing, occupied, other

// Counts the nodes of each label and the relationships of each type of a realm.
//
// Relationships never cross realms, so counting them at their start nodes is complete.
//
// Parameters: $realm
// Returns: kind (node or relationship), name (label or type), count (how many)
// Access: read

CYPHER 25
// node: every one of the realm, each by the index of its label
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

// kind, name: its labels, and the types of its outgoing relationships
CALL (node) {
  UNWIND labels(node) AS name
  RETURN 'node' AS kind, name
UNION ALL
  MATCH (node)-[link]->()
  RETURN 'relationship' AS kind, type(link) AS name
}
RETURN kind, name, count(*) AS count
ORDER BY kind, name

// Reads all of a realm as a stream: every node, followed by the relationships that start there.
//
// A time is returned as text, for that alone keeps its nanoseconds and its zone.
//
// Parameters: $realm
// Returns: labels (of the node), key (the name of the node), type (of the relationship, or null),
//   element (id of the relationship in the store), end_labels (of the node at its end),
//   end_key (the name of that node), pairs (key and value of each property, where a value that is
//   no text, number, truth or list of them is a map of its type and its text or texts)
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

// values, link, far: the node itself, then its outgoing relationships
CALL (node) {
  RETURN properties(node) AS values, null AS link, null AS far
UNION ALL
  MATCH (node)-[link]->(far)
  RETURN properties(link) AS values, link, far
}

// pairs: properties whose types survive JSON
RETURN labels(node) AS labels, coalesce(node.id, node.key, node.stem) AS key,
       type(link) AS type, elementId(link) AS element,
       labels(far) AS end_labels, coalesce(far.id, far.key, far.stem) AS end_key,
       [key IN keys(values) | CASE
         WHEN values[key] IS :: BOOLEAN | STRING | INTEGER | FLOAT
                | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT> THEN [key, values[key]]
         WHEN values[key] IS :: LIST<ANY> THEN
           [key, {type: valueType(values[key]), texts: [value IN values[key] | toString(value)]}]
         ELSE [key, {type: valueType(values[key]), text: toString(values[key])}] END] AS pairs

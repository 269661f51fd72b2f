// Reads all of a realm as a stream: every node with the relationships that start there.
//
// A node with many relationships takes several rows, the first of which has its properties.
// A time is returned as text, for that alone keeps its nanoseconds and its zone.
//
// Parameters: $realm
// Returns: labels (of the node), key (the name of the node), pairs (key and value of each of its
//   properties, where a value that is no text, number, truth or list of them is a map of its type
//   and its text or texts; null in further rows of the node), links (of each relationship: type,
//   element: its id in the store, end_labels and end_key: of the node at its end, pairs likewise)
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

// outgoing: the relationships that start there, in portions
LET outgoing = COLLECT { MATCH (node)-[link]->(far) RETURN {link: link, far: far} }
UNWIND range(0, size(outgoing), 500) AS first

// pairs, links: properties whose types survive JSON
RETURN labels(node) AS labels, coalesce(node.id, node.key, node.stem) AS key,
       CASE WHEN first = 0 THEN [key IN keys(node) | CASE
         WHEN node[key] IS :: BOOLEAN | STRING | INTEGER | FLOAT
                | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT> THEN [key, node[key]]
         WHEN node[key] IS :: LIST<ANY> THEN
           [key, {type: valueType(node[key]), texts: [value IN node[key] | toString(value)]}]
         ELSE [key, {type: valueType(node[key]), text: toString(node[key])}] END] END AS pairs,
       [each IN outgoing[first..first + 500] | {
         type: type(each.link), element: elementId(each.link), end_labels: labels(each.far),
         end_key: coalesce(each.far.id, each.far.key, each.far.stem),
         pairs: [key IN keys(each.link) | CASE
           WHEN each.link[key] IS :: BOOLEAN | STRING | INTEGER | FLOAT
                  | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT>
             THEN [key, each.link[key]]
           WHEN each.link[key] IS :: LIST<ANY> THEN
             [key, {type: valueType(each.link[key]),
                    texts: [value IN each.link[key] | toString(value)]}]
           ELSE [key, {type: valueType(each.link[key]), text: toString(each.link[key])}] END]
       }] AS links

// All of a realm as a stream: every node, right after it the relationships that start there.
//
// A time is told as text, for that alone keeps its nanoseconds and its zone: values come in pairs of
// key and value, and a value that is no text, number, truth or list of them with its type.
//
// Parameters: $realm
// Returns: labels, key, type, element, end_labels, end_key, pairs
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
  RETURN properties(n) AS values, null AS r, null AS far
UNION ALL
  MATCH (n)-[r]->(far)
  RETURN properties(r) AS values, r, far
}
RETURN labels(n) AS labels, coalesce(n.id, n.key, n.stem) AS key,
       type(r) AS type, elementId(r) AS element,
       labels(far) AS end_labels, coalesce(far.id, far.key, far.stem) AS end_key,
       [key IN keys(values) | CASE
         WHEN values[key] IS :: BOOLEAN | STRING | INTEGER | FLOAT
                | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT> THEN [key, values[key]]
         WHEN values[key] IS :: LIST<ANY> THEN
           [key, {type: valueType(values[key]), texts: [value IN values[key] | toString(value)]}]
         ELSE [key, {type: valueType(values[key]), text: toString(values[key])}] END] AS pairs

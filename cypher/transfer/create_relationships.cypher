// Creates relationships as a file tells them, between nodes that are found by what names them.
//
// Parameters: $realm, $rows
// Returns: created
// Access: write

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  FILTER row.start.id IS NOT NULL
  MATCH (a:$(row.start.label)) WHERE a.realm = $realm AND a.id = row.start.id RETURN a
UNION ALL
  MATCH (a:Name)
    USING INDEX SEEK a:Name(realm, key)
    WHERE a.realm = $realm AND a.key = row.start.key RETURN a
UNION ALL
  MATCH (a:Term)
    USING INDEX SEEK a:Term(realm, stem)
    WHERE a.realm = $realm AND a.stem = row.start.stem RETURN a
}
CALL (row) {
  FILTER row.end.id IS NOT NULL
  MATCH (b:$(row.end.label)) WHERE b.realm = $realm AND b.id = row.end.id RETURN b
UNION ALL
  MATCH (b:Name)
    USING INDEX SEEK b:Name(realm, key)
    WHERE b.realm = $realm AND b.key = row.end.key RETURN b
UNION ALL
  MATCH (b:Term)
    USING INDEX SEEK b:Term(realm, stem)
    WHERE b.realm = $realm AND b.stem = row.end.stem RETURN b
}
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
WITH r, row, [t IN row.times | {key: t.key, many: t.many, values: [text IN t.texts | CASE t.kind
  WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
  WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
  WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (t IN times | SET r[t.key] = CASE WHEN t.many THEN t.values ELSE t.values[0] END)
CALL (r, row) {
  UNWIND row.vectors AS vector
  CALL db.create.setRelationshipVectorProperty(r, vector.key, vector.values)
}
RETURN count(DISTINCT r) AS created

// Creates nodes as a file tells them.
//
// Parameters: $realm, $rows
// Returns: created
// Access: write

CYPHER 25
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.properties, n.realm = $realm
WITH n, row, [t IN row.times | {key: t.key, many: t.many, values: [text IN t.texts | CASE t.kind
  WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
  WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
  WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (t IN times | SET n[t.key] = CASE WHEN t.many THEN t.values ELSE t.values[0] END)
CALL (n, row) {
  UNWIND row.vectors AS vector
  CALL db.create.setNodeVectorProperty(n, vector.key, vector.values)
}
RETURN count(DISTINCT n) AS created

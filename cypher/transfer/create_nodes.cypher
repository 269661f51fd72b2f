// Creates the nodes of rows of a file.
//
// Parameters: $realm, $rows
// Returns: created (how many)
// Access: write

CYPHER 25
UNWIND $rows AS row
CREATE (node:$(row.labels))
SET node = row.properties, node.realm = $realm

// times: texts become values of their kind
WITH node, row, [time IN row.times | {key: time.key, many: time.many, values: [
  text IN time.texts | CASE time.kind
    WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
    WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
    WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (time IN times |
  SET node[time.key] = CASE WHEN time.many THEN time.values ELSE time.values[0] END)

// vectors: in single precision, as the index holds them
CALL (node, row) {
  UNWIND row.vectors AS vector
  CALL db.create.setNodeVectorProperty(node, vector.key, vector.values)
}
RETURN count(DISTINCT node) AS created

// Creates the nodes of rows of a file.
//
// Parameters: $realm, $rows (of each node: labels, properties, times, vectors)
// Returns: created (how many)
// Access: write

CYPHER 25
UNWIND $rows AS row
CREATE (node:$(row[0]))
SET node = row[1], node.realm = $realm

// times: texts become values of their kind
WITH node, row, [time IN row[2] | {key: time.key, many: time.many, values: [
  text IN time.texts | CASE time.kind
    WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
    WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
    WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (time IN times |
  SET node[time.key] = CASE WHEN time.many THEN time.values ELSE time.values[0] END)

// vectors: in single precision, as the index holds them, in one call for all rows
WITH count(node) AS created, collect(CASE WHEN row[3] <> [] THEN [node, row[3]] END) AS rest
CALL (rest) {
  UNWIND rest AS each
  UNWIND each[1] AS vector
  WITH each[0] AS node, vector
  CALL db.create.setNodeVectorProperty(node, vector.key, vector.values)
}
RETURN created

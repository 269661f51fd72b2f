// Creates the relationships of rows of a file, between nodes looked up by their names.
//
// Parameters: $realm, $rows
// Returns: created (how many)
// Access: write

CYPHER 25
UNWIND $rows AS row

// start node: by id, or by the key of a name or the stem of a term
CALL (row) {
  FILTER row.start.id IS NOT NULL
  MATCH (source:$(row.start.label))
  WHERE source.realm = $realm AND source.id = row.start.id RETURN source
UNION ALL
  MATCH (source:Name)
    USING INDEX SEEK source:Name(realm, key)
    WHERE source.realm = $realm AND source.key = row.start.key RETURN source
UNION ALL
  MATCH (source:Term)
    USING INDEX SEEK source:Term(realm, stem)
    WHERE source.realm = $realm AND source.stem = row.start.stem RETURN source
}

// end node: likewise
CALL (row) {
  FILTER row.end.id IS NOT NULL
  MATCH (target:$(row.end.label))
  WHERE target.realm = $realm AND target.id = row.end.id RETURN target
UNION ALL
  MATCH (target:Name)
    USING INDEX SEEK target:Name(realm, key)
    WHERE target.realm = $realm AND target.key = row.end.key RETURN target
UNION ALL
  MATCH (target:Term)
    USING INDEX SEEK target:Term(realm, stem)
    WHERE target.realm = $realm AND target.stem = row.end.stem RETURN target
}
CREATE (source)-[link:$(row.type)]->(target)
SET link = row.properties

// times: texts become values of their kind
WITH link, row, [time IN row.times | {key: time.key, many: time.many, values: [
  text IN time.texts | CASE time.kind
    WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
    WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
    WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (time IN times |
  SET link[time.key] = CASE WHEN time.many THEN time.values ELSE time.values[0] END)

// vectors: in single precision
CALL (link, row) {
  UNWIND row.vectors AS vector
  CALL db.create.setRelationshipVectorProperty(link, vector.key, vector.values)
}
RETURN count(DISTINCT link) AS created

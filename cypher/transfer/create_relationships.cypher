// Creates the relationships of rows of a file, between nodes looked up by their names.
//
// Parameters: $realm, $rows
// Returns: created (how many)
// Access: write

CYPHER 25
UNWIND $rows AS row

// start node: by the index of its label, that of the many first (a label that is only known while
// the statement runs would be scanned for every row)
CALL (row) {
  WHEN row.start.label = 'Memory' THEN {
    MATCH (source:Memory)
      USING INDEX SEEK source:Memory(realm, id)
      WHERE source.realm = $realm AND source.id = row.start.id RETURN source
  }
  WHEN row.start.label = 'Name' THEN {
    MATCH (source:Name)
      USING INDEX SEEK source:Name(realm, key)
      WHERE source.realm = $realm AND source.key = row.start.key RETURN source
  }
  WHEN row.start.label = 'Term' THEN {
    MATCH (source:Term)
      USING INDEX SEEK source:Term(realm, stem)
      WHERE source.realm = $realm AND source.stem = row.start.stem RETURN source
  }
  ELSE {
    MATCH (source:Star|Session|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance
           |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run
           |Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
    WHERE source.realm = $realm AND source.id = row.start.id AND row.start.label IN labels(source)
    RETURN source
  }
}

// end node: likewise
CALL (row) {
  WHEN row.end.label = 'Memory' THEN {
    MATCH (target:Memory)
      USING INDEX SEEK target:Memory(realm, id)
      WHERE target.realm = $realm AND target.id = row.end.id RETURN target
  }
  WHEN row.end.label = 'Name' THEN {
    MATCH (target:Name)
      USING INDEX SEEK target:Name(realm, key)
      WHERE target.realm = $realm AND target.key = row.end.key RETURN target
  }
  WHEN row.end.label = 'Term' THEN {
    MATCH (target:Term)
      USING INDEX SEEK target:Term(realm, stem)
      WHERE target.realm = $realm AND target.stem = row.end.stem RETURN target
  }
  ELSE {
    MATCH (target:Star|Session|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance
           |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run
           |Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
    WHERE target.realm = $realm AND target.id = row.end.id AND row.end.label IN labels(target)
    RETURN target
  }
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

// Creates the relationships of rows of a file, all of one type and between nodes of two labels.
//
// The nodes are looked up by their names. Which labels they have is asked once for all rows, and
// each look-up names its label: one that is only known while the statement runs would be scanned.
//
// Parameters: $realm, $type, $start (label that names the start nodes), $end (that of the end
//   nodes), $rows (of each relationship: the key of its start, that of its end, its properties, its
//   times, its vectors)
// Returns: created (how many)
// Access: write

CYPHER 25
// source, target: both by the index of their label, the most frequent ones first
CALL () {
  // a text and a word
  WHEN $start = 'Memory' AND $end = 'Term' THEN {
    UNWIND $rows AS row
    MATCH (source:Memory)
      USING INDEX SEEK source:Memory(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Term)
      USING INDEX SEEK target:Term(realm, stem)
      WHERE target.realm = $realm AND target.stem = row[1]
    RETURN row, source, target
  }
  // a text and a name
  WHEN $start = 'Memory' AND $end = 'Name' THEN {
    UNWIND $rows AS row
    MATCH (source:Memory)
      USING INDEX SEEK source:Memory(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Name)
      USING INDEX SEEK target:Name(realm, key)
      WHERE target.realm = $realm AND target.key = row[1]
    RETURN row, source, target
  }
  // two texts
  WHEN $start = 'Memory' AND $end = 'Memory' THEN {
    UNWIND $rows AS row
    MATCH (source:Memory)
      USING INDEX SEEK source:Memory(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Memory)
      USING INDEX SEEK target:Memory(realm, id)
      WHERE target.realm = $realm AND target.id = row[1]
    RETURN row, source, target
  }
  // a text and its session
  WHEN $start = 'Memory' AND $end = 'Session' THEN {
    UNWIND $rows AS row
    MATCH (source:Memory)
      USING INDEX SEEK source:Memory(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Session)
      USING INDEX SEEK target:Session(realm, id)
      WHERE target.realm = $realm AND target.id = row[1]
    RETURN row, source, target
  }
  // a speaker and what was said
  WHEN $start = 'Actor' AND $end = 'Memory' THEN {
    UNWIND $rows AS row
    MATCH (source:Actor)
      USING INDEX SEEK source:Actor(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Memory)
      USING INDEX SEEK target:Memory(realm, id)
      WHERE target.realm = $realm AND target.id = row[1]
    RETURN row, source, target
  }
  // two stars
  WHEN $start = 'Star' AND $end = 'Star' THEN {
    UNWIND $rows AS row
    MATCH (source:Star)
      USING INDEX SEEK source:Star(realm, id)
      WHERE source.realm = $realm AND source.id = row[0]
    MATCH (target:Star)
      USING INDEX SEEK target:Star(realm, id)
      WHERE target.realm = $realm AND target.id = row[1]
    RETURN row, source, target
  }
  // all others: every index is asked for each
  ELSE {
    UNWIND $rows AS row
    MATCH (source:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance
           |Session|Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection
           |Candidate|Run|Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
    WHERE source.realm = $realm AND source.id = row[0] AND $start IN labels(source)
    // end of those
    CALL (row) {
      WHEN $end = 'Name' THEN {
        MATCH (target:Name)
          USING INDEX SEEK target:Name(realm, key)
          WHERE target.realm = $realm AND target.key = row[1] RETURN target
      }
      WHEN $end = 'Term' THEN {
        MATCH (target:Term)
          USING INDEX SEEK target:Term(realm, stem)
          WHERE target.realm = $realm AND target.stem = row[1] RETURN target
      }
      ELSE {
        MATCH (target:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance
               |Session|Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection
               |Candidate|Run|Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
        WHERE target.realm = $realm AND target.id = row[1] AND $end IN labels(target)
        RETURN target
      }
    }
    RETURN row, source, target
  }
}
CREATE (source)-[link:$($type)]->(target)
SET link = row[2]

// times: texts become values of their kind
WITH link, row, [time IN row[3] | {key: time.key, many: time.many, values: [
  text IN time.texts | CASE time.kind
    WHEN 'datetime' THEN datetime(text) WHEN 'localdatetime' THEN localdatetime(text)
    WHEN 'date' THEN date(text) WHEN 'duration' THEN duration(text)
    WHEN 'time' THEN time(text) WHEN 'localtime' THEN localtime(text) END]}] AS times
FOREACH (time IN times |
  SET link[time.key] = CASE WHEN time.many THEN time.values ELSE time.values[0] END)

// vectors: in single precision, in one call for all rows, for few have any
WITH count(link) AS created, collect(CASE WHEN row[4] <> [] THEN [link, row[4]] END) AS rest
CALL (rest) {
  UNWIND rest AS each
  UNWIND each[1] AS vector
  WITH each[0] AS link, vector
  CALL db.create.setRelationshipVectorProperty(link, vector.key, vector.values)
}
RETURN created

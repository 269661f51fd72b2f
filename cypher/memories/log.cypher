// Writes down what was taken in, and moves the source on: replayed, it changes nothing twice.
//
// A visit that has grown keeps its entry, which tells all of it.
//
// Parameters: $realm, $source, $newest, $sequence, $rows, $grown
// Returns: logged
// Access: write

CYPHER 25
MERGE (feed:Cursor {realm: $realm, id: $source})
SET feed.newest = CASE WHEN coalesce(feed.newest, $newest) > $newest THEN feed.newest ELSE $newest END,
    feed.sequence = CASE WHEN coalesce(feed.sequence, -1) > coalesce($sequence, -1)
                         THEN feed.sequence ELSE $sequence END
WITH feed
CALL () {
  UNWIND $grown AS row
  MATCH (evidence:Evidence {realm: $realm, id: row.known_as})
  SET evidence += row.entry
  RETURN count(*) AS grown
}
CALL () {
  UNWIND $rows AS row
  CREATE (evidence:Evidence {realm: $realm})
  SET evidence += row
  RETURN count(*) AS created
}
RETURN created + grown AS logged

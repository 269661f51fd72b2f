// Writes the evidence log, and moves the source on: replayed, it changes nothing twice.
//
// A visit that has grown keeps its entry, which is raised.
//
// Parameters: $realm, $source, $newest, $sequence, $entries, $grown_visits
// Returns: logged (number of entries)
// Access: write
// Locks: the Cursor of the source, which the caller holds already

CYPHER 25
MERGE (source:Cursor {realm: $realm, id: $source})
SET source.newest = CASE WHEN coalesce(source.newest, $newest) > $newest
                         THEN source.newest ELSE $newest END,
    source.sequence = CASE WHEN coalesce(source.sequence, -1) > coalesce($sequence, -1)
                           THEN source.sequence ELSE $sequence END
WITH source
CALL () {
  UNWIND $grown_visits AS visit
  MATCH (evidence:Evidence {realm: $realm, id: visit.former_id})
  SET evidence += visit.entry
  RETURN count(*) AS raised
}
CALL () {
  UNWIND $entries AS entry
  CREATE (evidence:Evidence {realm: $realm})
  SET evidence += entry
  RETURN count(*) AS created
}
RETURN created + raised AS logged

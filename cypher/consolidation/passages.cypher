// What some memories say, with title, date and speaker: what was embedded.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $ids
// Returns: id, passage
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
  USING INDEX SEEK m:Memory(realm, id)
WITH id, coalesce(m.passage, m.text) AS passage WHERE passage IS NOT NULL
RETURN id, passage

// What some memories say, with title, date and speaker: what was embedded.
//
// Parameters: $realm, $ids
// Returns: id, passage
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
  USING INDEX SEEK m:Memory(realm, id)
RETURN id, coalesce(m.passage, m.text) AS passage

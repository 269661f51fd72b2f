// Reads the memories of a session's lines: those of the ids, and those of lines that are gone.
//
// Parameters: $realm, $session_id, $prefix, $ids
// Returns: id (of the memory), content (speaker and text)
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN memory
UNION
  MATCH (:Session {realm: $realm, id: $session_id})<-[:IN_SESSION]-(memory:Memory)
  WHERE memory.id STARTS WITH $prefix
  RETURN memory
}
RETURN memory.id AS id, [memory.speaker, memory.text] AS content

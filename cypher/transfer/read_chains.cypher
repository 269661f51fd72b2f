// Reads which memory follows each text memory in its session, and which one superseded it.
//
// Parameters: $realm
// Returns: id (id of the memory), next (id of the one after it in its session or null),
//   successor (id of the one that superseded it or null), ended (true if that set its end),
//   former_end (the end that it had before, as its type and its text, or null)
// Access: read

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.id IS NOT NULL AND memory.kind = 'text'
OPTIONAL MATCH (memory)-[:NEXT]->(after:Memory)
OPTIONAL MATCH (memory)<-[link:SUPERSEDES]-(successor:Memory)
RETURN memory.id AS id, after.id AS next, successor.id AS successor,
       coalesce(link.ended, false) AS ended,
       CASE WHEN link.former_end IS NOT NULL
         THEN {type: valueType(link.former_end), text: toString(link.former_end)} END AS former_end

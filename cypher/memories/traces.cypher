// What still names a memory: nothing, once it is forgotten.
//
// Parameters: $realm, $id, $repetition
// Returns: memories, evidence, cursors, notes
// Access: read

CYPHER 25
RETURN COUNT { MATCH (m:Memory {realm: $realm, id: $id}) }
       + COUNT { MATCH (m:Memory {realm: $realm, duplicate_of: $id}) }
       + COUNT { MATCH (m:Memory) WHERE m.realm = $realm AND m.near_count > 0
                 AND $id IN m.near_duplicates } AS memories,
       COUNT { MATCH (e:Evidence {realm: $realm, memory_id: $id}) WHERE e.moment IS NOT NULL }
       + COUNT { MATCH (e:Evidence {realm: $realm, id: $repetition}) } AS evidence,
       COUNT { MATCH (c:Cursor {realm: $realm, id: 'place:text ' + $id}) } AS cursors,
       COUNT { MATCH (n:Candidate {realm: $realm, low: $id}) }
       + COUNT { MATCH (n:Candidate {realm: $realm, high: $id}) } AS notes

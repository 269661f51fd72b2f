// Counts what still names some memories: nothing, once they are forgotten.
//
// Parameters: $realm, $ids, $repetition_ids
// Returns: memories (themselves, their duplicates and near duplicates), evidence (pieces of their
//   own, and as repetitions), cursors (their lock nodes), notes (candidate pairs),
//   expectations (pinned questions)
// Access: read

CYPHER 25
// Memories, theirs or those that name them.
RETURN COUNT { UNWIND $ids AS id
               MATCH (memory:Memory {realm: $realm, id: id})
                 USING INDEX SEEK memory:Memory(realm, id) }
       + COUNT { UNWIND $ids AS id
                 MATCH (memory:Memory {realm: $realm, duplicate_of: id})
                   USING INDEX SEEK memory:Memory(realm, duplicate_of) }
       + COUNT { MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.near_count > 0
                 AND any(near_id IN memory.near_duplicates WHERE near_id IN $ids) } AS memories,
       // Evidence and bookkeeping.
       COUNT { UNWIND $ids AS id
               MATCH (evidence:Evidence {realm: $realm, memory_id: id})
                 USING INDEX SEEK evidence:Evidence(realm, memory_id, moment)
               WHERE evidence.moment IS NOT NULL }
       + COUNT { UNWIND $repetition_ids AS repetition_id
                 MATCH (evidence:Evidence {realm: $realm, id: repetition_id})
                   USING INDEX SEEK evidence:Evidence(realm, id) } AS evidence,
       COUNT { UNWIND $ids AS id
               MATCH (place:Cursor {realm: $realm, id: 'place:text ' + id})
                 USING INDEX SEEK place:Cursor(realm, id) } AS cursors,
       COUNT { UNWIND $ids AS id
               MATCH (pair:Candidate {realm: $realm, low: id})
                 USING INDEX SEEK pair:Candidate(realm, low) }
       + COUNT { UNWIND $ids AS id
                 MATCH (pair:Candidate {realm: $realm, high: id})
                   USING INDEX SEEK pair:Candidate(realm, high) } AS notes,
       COUNT { MATCH (expectation:Expectation)
               WHERE expectation.realm = $realm AND expectation.id IS NOT NULL
                 AND any(other_id IN expectation.must + expectation.must_not
                         WHERE other_id IN $ids) } AS expectations

// Consolidated memories by id, with their vectors.
//
// Parameters: $realm, $ids, $upto
// Returns: number, id, embedding, tags, category, hours
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
  USING INDEX SEEK m:Memory(realm, id)
WHERE m.promoted_seq <= $upto
RETURN m.promoted_seq AS number, m.id AS id, m.embedding AS embedding,
       coalesce(m.tags, []) AS tags, coalesce(m.category, '') AS category,
       coalesce(m.last_reinforced_hours, -1.0) AS hours

// Consolidated memories with their vectors, in the order in which they were consolidated.
//
// Parameters: $realm, $after, $upto, $limit
// Returns: number, id, embedding, tags, category, hours
// Access: read

CYPHER 25
MATCH (m:Memory)
WHERE m.realm = $realm AND m.promoted_seq > $after AND m.promoted_seq <= $upto
RETURN m.promoted_seq AS number, m.id AS id, m.embedding AS embedding,
       coalesce(m.tags, []) AS tags, coalesce(m.category, '') AS category,
       coalesce(m.last_reinforced_hours, -1.0) AS hours
ORDER BY number LIMIT $limit

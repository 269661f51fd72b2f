// The edges of a memory, and the parts of each weight.
//
// Parameters: $realm, $memory_id
// Returns: path (edge with both memories), type (of the edge), weight (weight from 0 to 1),
//   cosine (calibrated cosine of both texts), from_cosine (part of the weight), from_tags (part),
//   from_category (part), from_hours (part), origin (of the edge)
// Access: read

:param realm => 'demo';
:param memory_id => COLLECT { MATCH (m0:Memory {realm: 'demo'})-[r0:SIMILAR]-() RETURN m0.id ORDER BY r0.weight DESC, m0.id LIMIT 1 }[0];

CYPHER 25
MATCH path = (:Memory {realm: $realm, id: $memory_id})
             -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(:Memory)
RETURN path, type(edge) AS type, edge.weight AS weight, edge.cosine AS cosine,
       edge.from_cosine AS from_cosine, edge.from_tags AS from_tags,
       edge.from_category AS from_category, edge.from_hours AS from_hours, edge.origin AS origin
ORDER BY weight DESC

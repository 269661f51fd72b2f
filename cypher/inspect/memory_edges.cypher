// What a memory is joined to, and what each edge is made of.
//
// Parameters: $realm, $memory_id
// Returns: path, type, weight, cosine, from_cosine, from_tags, from_category, from_hours, origin
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

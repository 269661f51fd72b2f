// The edges between memories that weigh most, as a picture.
//
// Parameters: $realm, $limit
// Returns: path (edge with both memories), type (of the edge), weight (weight from 0 to 1)
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.id IS NOT NULL
MATCH path = (memory)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]->(:Memory)
RETURN path, type(edge) AS type, edge.weight AS weight
ORDER BY weight DESC
LIMIT toInteger($limit)

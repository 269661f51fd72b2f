// The edges between memories that weigh most, as a picture.
//
// Parameters: $realm, $limit
// Returns: path, type, weight
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (m:Memory)
WHERE m.realm = $realm AND m.id IS NOT NULL
MATCH path = (m)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]->(:Memory)
RETURN path, type(edge) AS type, edge.weight AS weight
ORDER BY weight DESC
LIMIT toInteger($limit)

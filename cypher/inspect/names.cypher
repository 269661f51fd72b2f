// The names that most memories mention, with the memories.
//
// Parameters: $realm, $limit
// Returns: path (name with a memory that mentions it), memories (number)
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (name:Name)
WHERE name.realm = $realm AND name.key IS NOT NULL
WITH name ORDER BY name.memory_count DESC, name.key LIMIT toInteger($limit)
MATCH path = (name)<-[:MENTIONS]-(:Memory)
RETURN path, name.memory_count AS memories
ORDER BY memories DESC
LIMIT 200

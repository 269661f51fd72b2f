// The brightest stars, and their connections.
//
// Parameters: $realm, $limit
// Returns: path (a star, or a star with a connection),
//   brightness (brightness of the star from 0.05 to 1)
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.id IS NOT NULL
WITH star ORDER BY star.brightness DESC, star.id LIMIT toInteger($limit)
OPTIONAL MATCH path = (star)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
RETURN coalesce(path, [star]) AS path, star.brightness AS brightness
ORDER BY brightness DESC

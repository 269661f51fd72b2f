// The links that explorations have coloured most often.
//
// Parameters: $realm, $limit
// Returns: path, colourings, weight
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH path = ()-[link:LINK]->()
WHERE link.realm = $realm AND link.id IS NOT NULL AND link.rev > 0
RETURN path, link.rev AS colourings, link.weight AS weight
ORDER BY colourings DESC, weight DESC
LIMIT toInteger($limit)

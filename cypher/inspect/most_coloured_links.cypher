// The links that explorations have coloured most often.
//
// Parameters: $realm, $limit
// Returns: path (link with both ends), colourings (number),
//   weight (weight when explorations score it)
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH path = ()-[link:LINK]->()
WHERE link.realm = $realm AND link.id IS NOT NULL AND link.revision > 0
RETURN path, link.revision AS colourings, link.weight AS weight
ORDER BY colourings DESC, weight DESC
LIMIT toInteger($limit)

// Why one memory was found from another: the names and rare words that lead from one to the other.
//
// Parameters: $realm, $seed, $found
// Returns: path
// Access: read

:param realm => 'demo';
:param seed => COLLECT { MATCH (a:Memory {realm: 'demo'})-[:MENTIONS]->()<-[:MENTIONS]-(b) RETURN a.id ORDER BY a.id, b.id LIMIT 1 }[0];
:param found => COLLECT { MATCH (a:Memory {realm: 'demo'})-[:MENTIONS]->()<-[:MENTIONS]-(b) RETURN b.id ORDER BY a.id, b.id LIMIT 1 }[0];

CYPHER 25
MATCH (seed:Memory {realm: $realm, id: $seed}), (found:Memory {realm: $realm, id: $found})
MATCH path = (seed)-[:MENTIONS|ABOUT|HAS_TERM]->(over:Name|Term)<-[:MENTIONS|ABOUT|HAS_TERM]-(found)
RETURN path
ORDER BY over.df
LIMIT 25

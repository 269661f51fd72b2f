// Why one memory was found from another: the names and rare words that lead from one to the other.
//
// Parameters: $realm, $seed, $found
// Returns: path
// Access: read

:param realm => 'demo';
:param seed => COLLECT { MATCH (a0:Memory) WHERE a0.realm = 'demo' AND a0.id > '' AND EXISTS { (a0)-[:MENTIONS]->()<-[:MENTIONS]-() } RETURN a0.id ORDER BY a0.id LIMIT 1 }[0];
:param found => COLLECT { WITH COLLECT { MATCH (a0:Memory) WHERE a0.realm = 'demo' AND a0.id > '' AND EXISTS { (a0)-[:MENTIONS]->()<-[:MENTIONS]-() } RETURN a0.id ORDER BY a0.id LIMIT 1 }[0] AS chosen0 MATCH (:Memory {realm: 'demo', id: chosen0})-[:MENTIONS]->()<-[:MENTIONS]-(b0) RETURN b0.id ORDER BY b0.id LIMIT 1 }[0];

CYPHER 25
MATCH (seed:Memory {realm: $realm, id: $seed}), (found:Memory {realm: $realm, id: $found})
  USING INDEX SEEK seed:Memory(realm, id)
  USING INDEX SEEK found:Memory(realm, id)
MATCH path = (seed)-[:MENTIONS|ABOUT|HAS_TERM]->(over:Name|Term)<-[:MENTIONS|ABOUT|HAS_TERM]-(found)
RETURN path
ORDER BY over.df
LIMIT 25

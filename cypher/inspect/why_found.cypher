// The names and rare words that lead from one memory to another, which recall returned.
//
// Parameters: $realm, $seed_id, $hit_id
// Returns: path (both memories with what they share)
// Access: read

:param realm => 'demo';
:param seed_id => COLLECT { MATCH (a0:Memory) WHERE a0.realm = 'demo' AND a0.id > '' AND EXISTS { (a0)-[:MENTIONS]->()<-[:MENTIONS]-() } RETURN a0.id ORDER BY a0.id LIMIT 1 }[0];
:param hit_id => COLLECT { WITH COLLECT { MATCH (a0:Memory) WHERE a0.realm = 'demo' AND a0.id > '' AND EXISTS { (a0)-[:MENTIONS]->()<-[:MENTIONS]-() } RETURN a0.id ORDER BY a0.id LIMIT 1 }[0] AS chosen0 MATCH (:Memory {realm: 'demo', id: chosen0})-[:MENTIONS]->()<-[:MENTIONS]-(b0) RETURN b0.id ORDER BY b0.id LIMIT 1 }[0];

CYPHER 25
MATCH (seed:Memory {realm: $realm, id: $seed_id}), (hit:Memory {realm: $realm, id: $hit_id})
  USING INDEX SEEK seed:Memory(realm, id)
  USING INDEX SEEK hit:Memory(realm, id)
MATCH path = (seed)-[:MENTIONS|ABOUT|HAS_TERM]->(term:Name|Term)<-[:MENTIONS|ABOUT|HAS_TERM]-(hit)
RETURN path
ORDER BY term.memory_count
LIMIT 25

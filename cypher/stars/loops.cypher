// Feedback loops: circles of up to three directed connections.
//
// Parameters: $limit, $realm
// Returns: stars, types, strength
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH path = (a)-[links:CAUSATION|GROWTH_EDGE|BLOCKS*2..3]->(a)
WHERE all(n IN nodes(path)[1..-1] WHERE a.id < n.id)
RETURN [n IN nodes(path)[..-1] | n.id] AS stars, [r IN links | type(r)] AS types,
       reduce(s = 1.0, r IN links | s * r.strength) AS strength
ORDER BY strength DESC LIMIT $limit

// Returns feedback loops: cycles of up to three directed connections.
//
// Parameters: $limit, $realm
// Returns: stars (ids along the cycle), types (types along it), strength (product of the strengths)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH path = (star)-[links:CAUSATION|GROWTH_EDGE|BLOCKS*2..3]->(star)
WHERE all(between IN nodes(path)[1..-1] WHERE star.id < between.id)
RETURN [member IN nodes(path)[..-1] | member.id] AS stars,
       [link IN links | type(link)] AS types,
       reduce(product = 1.0, link IN links | product * link.strength) AS strength
ORDER BY strength DESC LIMIT $limit

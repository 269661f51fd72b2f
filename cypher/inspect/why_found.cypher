// Why one memory was found from another: the names and rare words that lead from one to the other.
//
// In Browser first, with two ids from asterism recall:
//   :param {realm: 'default', seed: '...', found: '...'}
//
// Parameters: $realm, $seed, $found
// Returns: path
// Access: read

CYPHER 25
MATCH (seed:Memory {realm: $realm, id: $seed}), (found:Memory {realm: $realm, id: $found})
MATCH path = (seed)-[:MENTIONS|ABOUT|HAS_TERM]->(over:Name|Term)<-[:MENTIONS|ABOUT|HAS_TERM]-(found)
RETURN path
ORDER BY over.df
LIMIT 25

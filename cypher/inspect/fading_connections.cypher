// The connections of stars that were not engaged for longest.
//
// A connection sleeps some weeks or months after it, or one of its stars, was last engaged.
//
// Parameters: $realm, $now, $limit
// Returns: path (connection with both stars), type (of the connection),
//   state (state of the connection), strength (strength from 0 to 1),
//   idle_days (since the last engagement)
// Access: read

:param realm => 'demo';
:param now => datetime();
:param limit => 25;

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.id IS NOT NULL
MATCH path = (star)-[connection:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR
                     |BLOCKS]->(other:Star)
WHERE connection.state <> 'DORMANT'
WITH path, connection,
     coll.max([connection.last_engaged, star.last_engaged, other.last_engaged]) AS engaged
RETURN path, type(connection) AS type, connection.state AS state,
       connection.strength AS strength, duration.inDays(engaged, $now).days AS idle_days
ORDER BY idle_days DESC, strength
LIMIT toInteger($limit)

// The connections of stars that have been left alone for longest.
//
// A connection sleeps some weeks or months after it, or one of its stars, was last engaged.
//
// Parameters: $realm, $now, $limit
// Returns: path, type, state, strength, idle_days
// Access: read

:param realm => 'demo';
:param now => datetime();
:param limit => 25;

CYPHER 25
MATCH (a:Star)
WHERE a.realm = $realm AND a.id IS NOT NULL
MATCH path = (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(b:Star)
WHERE r.state <> 'DORMANT'
WITH path, r, coll.max([r.last_engaged, a.last_engaged, b.last_engaged]) AS engaged
RETURN path, type(r) AS type, r.state AS state, r.strength AS strength,
       duration.inDays(engaged, $now).days AS idle_days
ORDER BY idle_days DESC, strength
LIMIT toInteger($limit)

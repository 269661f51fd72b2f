// Returns unconnected pairs that may show a pattern (D-51): candidates, and common neighbours.
//
// Never all pairs. Pairs with too few engaged days in the window can show nothing and are left out.
// A pair may come twice, once from either side.
//
// Parameters: $since, $settings, $realm
// Returns: one (star id), other (star id)
// Access: read

CYPHER 25
// Candidates, and stars with a neighbour in common.
CALL () {
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
  MATCH (one:Star {realm: $realm, id: candidate.lower})
  MATCH (other:Star {realm: $realm, id: candidate.upper})
  RETURN one, other
UNION ALL
  MATCH (one:Star) WHERE one.realm = $realm AND one.bucket >= 0
    AND one.engaged_days[-1] >= $since AND NOT one.state IN ['DORMANT', 'NASCENT']
  CALL (one) {
    MATCH (one)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(common:Star)
    MATCH (common)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
    RETURN DISTINCT other
  }
  RETURN one, other
}
// Those that may be connected, and have days to compare.
WITH one, other WHERE one <> other
  AND NOT one.state IN ['DORMANT', 'NASCENT'] AND NOT other.state IN ['DORMANT', 'NASCENT']
  AND size([day IN one.engaged_days WHERE day >= $since])
      + size([day IN other.engaged_days WHERE day >= $since]) >= $settings.correlation_points
  AND NOT EXISTS {
    (one)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other)
  }
RETURN one.id AS one, other.id AS other

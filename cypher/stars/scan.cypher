// Unconnected pairs worth a look (D-51): a candidate, or a neighbour in common; never all pairs.
//
// Too few engaged days in the window can show nothing, so such pairs are left out at once. A pair
// may come twice, once from either side.
//
// Parameters: $from, $settings, $realm
// Returns: lower, upper
// Access: read

CYPHER 25
CALL () {
  MATCH (candidate:Candidate) WHERE candidate.realm = $realm AND candidate.id IS NOT NULL
  MATCH (a:Star {realm: $realm, id: candidate.lower})
  MATCH (b:Star {realm: $realm, id: candidate.upper})
  RETURN a, b
UNION ALL
  MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0 AND a.engaged_days[-1] >= $from
    AND NOT a.state IN ['DORMANT', 'NASCENT']
  CALL (a) {
    MATCH (a)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(near:Star)
    MATCH (near)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(b:Star)
    RETURN DISTINCT b
  }
  RETURN a, b
}
WITH a, b WHERE a <> b
  AND NOT a.state IN ['DORMANT', 'NASCENT'] AND NOT b.state IN ['DORMANT', 'NASCENT']
  AND size([d IN a.engaged_days WHERE d >= $from]) + size([d IN b.engaged_days WHERE d >= $from])
      >= $settings.correlation_points
  AND NOT EXISTS {
    (a)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(b)
  }
RETURN a.id AS lower, b.id AS upper

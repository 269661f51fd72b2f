// The strongest nodes of a realm, taking turns: the first of each kind, then the second of each.
//
// Parameters: $realm, $limit, $wall, $active
// Returns: elements
// Access: read

CYPHER 25
CALL () {
  MATCH (n:Star) WHERE n.realm = $realm AND n.id IS NOT NULL
  WITH n, n.brightness AS strength ORDER BY strength DESC, n.id LIMIT $limit
  RETURN collect({n: n, strength: strength}) AS kind
UNION ALL
  UNWIND ['text', 'market'] AS what
  CALL (what) {
    MATCH (n:Memory)
    WHERE n.realm = $realm AND n.id IS NOT NULL AND n.state = 'live' AND n.kind = what
    WITH n, (CASE n.clock WHEN 'active' THEN $active ELSE $wall END - n.anchor) / 1e6 AS idle
    WITH n, n.strength * CASE WHEN idle <= 0 THEN 1.0 WHEN n.decay = 'exp' THEN exp(-n.rate * idle)
      WHEN n.rate * idle < 1 THEN 1 - n.rate * idle ELSE 0.0 END AS strength
    ORDER BY strength DESC, n.id LIMIT $limit
    RETURN collect({n: n, strength: strength}) AS kind
  }
  RETURN kind
UNION ALL
  MATCH (n:Actor|Moment|Narrative|Space|Thing) WHERE n.realm = $realm AND n.id IS NOT NULL
  WITH n, coalesce(n.weight, 1.0) AS strength ORDER BY strength DESC, n.id LIMIT $limit
  RETURN collect({n: n, strength: strength}) AS kind
UNION ALL
  MATCH (n:Intent) WHERE n.realm = $realm AND n.id IS NOT NULL
  MATCH (n)-[causes:CAUSES]->(found:Consequence)
  WITH n, found, causes.score AS strength ORDER BY strength DESC, n.id LIMIT $limit
  UNWIND [n, found] AS end
  RETURN collect({n: end, strength: strength}) AS kind
}
UNWIND range(0, size(kind) - 1) AS turn
WITH turn, kind[turn].n AS n, kind[turn].strength AS strength
ORDER BY turn, strength DESC, n.id
WITH n, min(turn) AS turn
ORDER BY turn LIMIT $limit
RETURN collect(elementId(n)) AS elements

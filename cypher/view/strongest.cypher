// Reads the strongest nodes of a realm in turns: the first of each kind, then the second of each.
//
// The strength of a memory fades: strength * exp(-rate * idle), or strength * (1 - rate * idle),
// where idle are the seconds since its anchor on its own clock.
//
// Parameters: $realm, $limit, $wall, $active
// Returns: elements (element ids, in turns)
// Access: read

CYPHER 25
// ranks: the strongest nodes of each kind, strongest first
CALL () {
  MATCH (node:Star) WHERE node.realm = $realm AND node.id IS NOT NULL
  WITH node, node.brightness AS strength ORDER BY strength DESC, node.id LIMIT $limit
  RETURN collect({node: node, strength: strength}) AS ranks
UNION ALL
  UNWIND ['text', 'market'] AS kind
  CALL (kind) {
    MATCH (node:Memory)
    WHERE node.realm = $realm AND node.id IS NOT NULL AND node.state = 'live' AND node.kind = kind
    WITH node, (CASE node.clock WHEN 'active' THEN $active ELSE $wall END - node.anchor) / 1e6
               AS idle
    WITH node, node.strength * CASE WHEN idle <= 0 THEN 1.0
      WHEN node.decay = 'exp' THEN exp(-node.rate * idle)
      WHEN node.rate * idle < 1 THEN 1 - node.rate * idle ELSE 0.0 END AS strength
    ORDER BY strength DESC, node.id LIMIT $limit
    RETURN collect({node: node, strength: strength}) AS ranks
  }
  RETURN ranks
UNION ALL
  MATCH (node:Actor|Moment|Narrative|Space|Thing) WHERE node.realm = $realm AND node.id IS NOT NULL
  WITH node, coalesce(node.weight, 1.0) AS strength ORDER BY strength DESC, node.id LIMIT $limit
  RETURN collect({node: node, strength: strength}) AS ranks
UNION ALL
  MATCH (intent:Intent) WHERE intent.realm = $realm AND intent.id IS NOT NULL
  MATCH (intent)-[causes:CAUSES]->(answer:Consequence)
  WITH intent, answer, causes.score AS strength ORDER BY strength DESC, intent.id LIMIT $limit
  UNWIND [intent, answer] AS node
  RETURN collect({node: node, strength: strength}) AS ranks
}
// turns: one node of each kind after another, each node once
UNWIND range(0, size(ranks) - 1) AS turn
WITH turn, ranks[turn].node AS node, ranks[turn].strength AS strength
ORDER BY turn, strength DESC, node.id
WITH node, min(turn) AS turn
ORDER BY turn LIMIT $limit
RETURN collect(elementId(node)) AS elements

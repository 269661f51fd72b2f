// The nodes of a picture, as strong as they are now, and what joins them, strongest first.
//
// Parameters: $realm, $elements, $limit, $wall, $active
// Returns: nodes, relationships
// Access: read

CYPHER 25
CALL () {
  UNWIND $elements AS element
  MATCH (n) WHERE elementId(n) = element AND n.realm = $realm
  WITH n, element, CASE WHEN n:Memory THEN
      (CASE n.clock WHEN 'active' THEN $active ELSE $wall END - n.anchor) / 1e6 END AS idle
  WITH n, element, CASE
    WHEN n:Star THEN n.brightness
    WHEN n:Memory THEN n.strength * CASE WHEN idle <= 0 THEN 1.0 WHEN n.decay = 'exp'
      THEN exp(-n.rate * idle) WHEN n.rate * idle < 1 THEN 1 - n.rate * idle ELSE 0.0 END
    WHEN n.strength = 'strong' THEN 1.0
    WHEN n.strength = 'weak' THEN 0.5
    ELSE 1 - 1 / (1.0 + coalesce(n.weight, 1.0)) END AS strength
  RETURN collect({key: element, id: coalesce(n.id, n.key), labels: labels(n), strength: strength,
    caption: coalesce(n.caption, n.name, n.id), text: left(coalesce(n.text, n.content, ''), 300)}) AS nodes
}
CALL () {
  UNWIND $elements AS element
  MATCH (a) WHERE elementId(a) = element AND a.realm = $realm
  MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK|SIMILAR|SUPPORTS
         |CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|CAUSES|PROMPTS|MENTIONS|ABOUT|IN_SESSION
         |NEXT]->(b)
  WHERE elementId(b) IN $elements
  WITH element, r, elementId(b) AS end, CASE
    WHEN r:LINK THEN 1 - 1 / (1.0 + coalesce(r.weight, 1.0))
    WHEN r:CAUSES THEN coll.min([1.0, r.score])
    ELSE coalesce(r.strength, r.weight, 0.5) END AS strength
  ORDER BY strength DESC, element, end LIMIT $limit
  RETURN collect({start: element, end: end, type: type(r), strength: strength}) AS relationships
}
RETURN nodes, relationships

// Reads the nodes of a picture, as strong as they are now, and their relationships.
//
// The strength of a memory fades: strength * exp(-rate * idle), or strength * (1 - rate * idle),
// where idle are the seconds since its anchor on its own clock.
//
// Parameters: $realm, $elements, $limit, $wall, $active
// Returns: nodes (key, id, labels, strength, caption and text of each),
//   relationships (start, end, type and strength of each, strongest first)
// Access: read

CYPHER 25
// nodes: each with its strength now
CALL () {
  UNWIND $elements AS element
  MATCH (node) WHERE elementId(node) = element AND node.realm = $realm
  WITH node, element, CASE WHEN node:Memory THEN
    (CASE node.clock WHEN 'active' THEN $active ELSE $wall END - node.anchor) / 1e6 END AS idle
  WITH node, element, CASE
    WHEN node:Star THEN node.brightness
    WHEN node:Memory THEN node.strength * CASE WHEN idle <= 0 THEN 1.0
      WHEN node.decay = 'exp' THEN exp(-node.rate * idle)
      WHEN node.rate * idle < 1 THEN 1 - node.rate * idle ELSE 0.0 END
    WHEN node.strength = 'strong' THEN 1.0
    WHEN node.strength = 'weak' THEN 0.5
    ELSE 1 - 1 / (1.0 + coalesce(node.weight, 1.0)) END AS strength
  RETURN collect({key: element, id: coalesce(node.id, node.key), labels: labels(node),
    strength: strength, caption: coalesce(node.caption, node.name, node.id),
    text: left(coalesce(node.text, node.content, ''), 300)}) AS nodes
}
// relationships: the strongest between these nodes
CALL () {
  UNWIND $elements AS element
  MATCH (start) WHERE elementId(start) = element AND start.realm = $realm
  MATCH (start)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK|SIMILAR
                |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|SAID|CAUSES|PROMPTS
                |MENTIONS|ABOUT|IN_SESSION|NEXT]->(end)
  WHERE elementId(end) IN $elements
  WITH element, link, elementId(end) AS end, CASE
    WHEN link:LINK THEN 1 - 1 / (1.0 + coalesce(link.weight, 1.0))
    WHEN link:CAUSES THEN coll.min([1.0, link.score])
    ELSE coalesce(link.strength, link.weight, 0.5) END AS strength
  ORDER BY strength DESC, element, end LIMIT $limit
  RETURN collect({
           start: element, end: end, type: type(link), strength: strength}) AS relationships
}
RETURN nodes, relationships

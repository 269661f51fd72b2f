// Reads a star or a memory, its strongest neighbours, and the strongest neighbours of these.
//
// The strength of a LINK is 1 - 1 / (1 + weight), of another relationship its strength or weight.
//
// Parameters: $realm, $settings, $id, $label, $limit
// Returns: elements (element ids, the start first)
// Access: read

CYPHER 25
// ring: the strongest neighbours of the start
MATCH (start:Star|Memory)
WHERE start.realm = $realm AND start.id = $id AND $label IN labels(start)
CALL (start) {
  MATCH (start)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK|SIMILAR
                |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|MENTIONS|ABOUT]-(neighbour)
  WITH neighbour, max(CASE WHEN link:LINK THEN 1 - 1 / (1.0 + coalesce(link.weight, 1.0))
                      ELSE coalesce(link.strength, link.weight, 0.0) END) AS strength
  ORDER BY strength DESC, coalesce(neighbour.id, neighbour.key) LIMIT $limit
  RETURN collect(neighbour) AS ring
}
// further: some neighbours of each of them
CALL (start, ring) {
  UNWIND ring AS neighbour
  CALL (start, ring, neighbour) {
    MATCH (neighbour)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK
                      |SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(other)
    WHERE other <> start AND NOT other IN ring
    WITH other, max(CASE WHEN link:LINK THEN 1 - 1 / (1.0 + coalesce(link.weight, 1.0))
                    ELSE coalesce(link.strength, link.weight, 0.0) END) AS strength
    ORDER BY strength DESC, other.id LIMIT $settings.spread
    RETURN other
  }
  RETURN collect(DISTINCT other) AS further
}
RETURN [node IN ([start] + ring + further)[..$limit] | elementId(node)] AS elements

// A star or a memory, what it is joined to, strongest first, and what that is joined to in turn.
//
// Parameters: $realm, $settings, $id, $label, $limit
// Returns: elements
// Access: read

CYPHER 25
MATCH (start:Star|Memory)
WHERE start.realm = $realm AND start.id = $id AND $label IN labels(start)
CALL (start) {
  MATCH (start)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK|SIMILAR|SUPPORTS
             |CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|MENTIONS|ABOUT]-(near)
  WITH near, max(CASE WHEN r:LINK THEN 1 - 1 / (1.0 + coalesce(r.weight, 1.0))
                 ELSE coalesce(r.strength, r.weight, 0.0) END) AS strength
  ORDER BY strength DESC, coalesce(near.id, near.key) LIMIT $limit
  RETURN collect(near) AS ring
}
CALL (start, ring) {
  UNWIND ring AS near
  CALL (start, ring, near) {
    MATCH (near)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|LINK|SIMILAR|SUPPORTS
              |CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(far)
    WHERE far <> start AND NOT far IN ring
    WITH far, max(CASE WHEN r:LINK THEN 1 - 1 / (1.0 + coalesce(r.weight, 1.0))
                  ELSE coalesce(r.strength, r.weight, 0.0) END) AS strength
    ORDER BY strength DESC, far.id LIMIT $settings.spread
    RETURN far
  }
  RETURN collect(DISTINCT far) AS further
}
RETURN [n IN ([start] + ring + further)[..$limit] | elementId(n)] AS elements

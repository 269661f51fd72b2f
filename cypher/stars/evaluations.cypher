// What an evaluation of types has to know about connections.
//
// Parameters: $pairs, $realm
// Returns: lower, upper, start, end, type, type_source, state, corr, causation_confidence,
//   type_changed_day
// Access: read

CYPHER 25
UNWIND $pairs AS pair
MATCH (a:Star {realm: $realm, id: pair[0]})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (b:Star {realm: $realm, id: pair[1]})
RETURN a.id AS lower, b.id AS upper, startNode(r).id AS start, endNode(r).id AS end,
       type(r) AS type, r.type_source AS type_source, r.state AS state, r.corr AS corr,
       r.causation_confidence AS causation_confidence, r.type_changed_day AS type_changed_day

// Returns the connections of pairs, with what a review of their types reads.
//
// Parameters: $pairs, $realm
// Returns: lower (lower id), upper (upper id), start (star it starts at), end (star it ends at),
//   type (type), type_source (USER, DETECTED or DEFAULT), corr (Pearson's r of the last review),
//   causation_confidence (confidence of the lags), type_changed_day (epoch day of the last change)
// Access: read

CYPHER 25
UNWIND $pairs AS pair
MATCH (lower:Star {realm: $realm, id: pair[0]})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (upper:Star {realm: $realm, id: pair[1]})
RETURN lower.id AS lower, upper.id AS upper, startNode(link).id AS start, endNode(link).id AS end,
       type(link) AS type, link.type_source AS type_source, link.corr AS corr,
       link.causation_confidence AS causation_confidence, link.type_changed_day AS type_changed_day

// Returns the connection between two stars, if there is one.
//
// Parameters: $lower, $upper, $realm
// Returns: id (connection id), a (star it starts at), b (star it ends at), type (type), type_source
//   (USER, DETECTED or DEFAULT), state (state), strength (strength, 0 to 1), confidence
//   (confidence, 0 to 1), evidence_count (pieces counted ever), evidence_eff (effective evidence),
//   last_engaged (time of the last engagement), created_at (time of creation), computed_type (type
//   that the data shows), corr (Pearson's r of the last review), mean_lag_h (mean lag in hours),
//   dormant_reason (INACTIVE, STAR or RETIRED)
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
RETURN link.id AS id, startNode(link).id AS a, endNode(link).id AS b, type(link) AS type,
       link.type_source AS type_source, link.state AS state, link.strength AS strength,
       link.confidence AS confidence, link.evidence_count AS evidence_count,
       link.evidence_eff AS evidence_eff, link.last_engaged AS last_engaged,
       link.created_at AS created_at, link.computed_type AS computed_type, link.corr AS corr,
       link.mean_lag_h AS mean_lag_h, link.dormant_reason AS dormant_reason

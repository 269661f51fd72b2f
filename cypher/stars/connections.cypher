// The strongest connections of a star.
//
// Parameters: $id, $limit, $realm
// Returns: id, a, b, type, type_source, state, strength, confidence, evidence_count, evidence_eff,
//   last_engaged, created_at, computed_type, corr, mean_lag_h, dormant_reason
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $id})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
WITH r ORDER BY r.strength DESC, r.pair_key LIMIT $limit
RETURN r.id AS id, startNode(r).id AS a, endNode(r).id AS b, type(r) AS type,
       r.type_source AS type_source, r.state AS state, r.strength AS strength,
       r.confidence AS confidence, r.evidence_count AS evidence_count,
       r.evidence_eff AS evidence_eff, r.last_engaged AS last_engaged, r.created_at AS created_at,
       r.computed_type AS computed_type, r.corr AS corr, r.mean_lag_h AS mean_lag_h,
       r.dormant_reason AS dormant_reason
ORDER BY strength DESC, id

// Stores the results of a review of types, and that it took place (D-37).
//
// Parameters: $rows, $day, $realm
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (:Star {realm: $realm, id: row.lower})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: row.upper})
SET link.type_evaluated_day = $day, link.evidence_at_last_eval = link.evidence_count,
    link.computed_type = row.computed_type, link.corr = row.corr,
    link.mean_lag_h = row.mean_lag_h, link.causation_confidence = row.causation_confidence,
    link.causation_sign = row.causation_sign, link.type_source = row.type_source

// Writes down what an evaluation found, and that it took place (D-37).
//
// Parameters: $rows, $day, $realm
// Returns: judged
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (:Star {realm: $realm, id: row.lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: row.upper})
SET r.type_evaluated_day = $day, r.evidence_at_last_eval = r.evidence_count,
    r.computed_type = row.computed_type, r.corr = row.corr, r.mean_lag_h = row.mean_lag_h,
    r.causation_confidence = row.causation_confidence, r.causation_sign = row.causation_sign,
    r.type_source = row.type_source
RETURN count(r) AS judged

// Pairs whose type is due for another look (S-33): a week has passed, or three pieces of evidence.
//
// Parameters: $day, $settings, $realm
// Returns: due
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE r.type_evaluated_day < $day
  AND ($day - r.type_evaluated_day >= $settings.evaluate_days
    OR r.evidence_count - r.evidence_at_last_eval >= $settings.evaluate_evidence)
  AND (r.state <> 'DORMANT' OR (r.dormant_since = $day AND r.dormant_reason = 'INACTIVE'))
RETURN r.pair_key AS due
ORDER BY due

// Returns pairs whose type is due for a review (S-33): after a week, or three pieces of evidence.
//
// Parameters: $day, $settings, $realm
// Returns: pair_key (lower|upper id)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE link.type_evaluated_day < $day
  AND ($day - link.type_evaluated_day >= $settings.evaluate_days
    OR link.evidence_count - link.evidence_at_last_eval >= $settings.evaluate_evidence)
  AND (link.state <> 'DORMANT'
    OR (link.dormant_since = $day AND link.dormant_reason = 'INACTIVE'))
RETURN link.pair_key AS pair_key
ORDER BY pair_key

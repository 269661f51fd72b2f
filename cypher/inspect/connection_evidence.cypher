// The evidence for the connection of two stars, and the gain of each piece.
//
// Parameters: $realm, $star_id, $other_id
// Returns: at (time at which it was observed), type (of the evidence), source (who observed it),
//   counted (false: stored without effect), gain (in strength)
// Access: read

:param realm => 'demo';
:param star_id => COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0];
:param other_id => COLLECT { WITH COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0] AS chosen0 MATCH (:Star {realm: 'demo', id: chosen0})-[r0]-(o0:Star) RETURN o0.id ORDER BY r0.strength DESC, o0.id LIMIT 1 }[0];

CYPHER 25
WITH CASE WHEN $star_id < $other_id THEN $star_id + '|' + $other_id
     ELSE $other_id + '|' + $star_id END AS pair
MATCH (evidence:Evidence)
WHERE evidence.realm = $realm AND evidence.pair_key = pair AND evidence.observed_at IS NOT NULL
RETURN evidence.observed_at AS at, evidence.type AS type, evidence.source AS source,
       evidence.counted AS counted, evidence.applied_gain AS gain
ORDER BY at

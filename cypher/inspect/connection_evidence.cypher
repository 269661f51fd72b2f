// What speaks for the connection of two stars, and what each piece gave.
//
// Parameters: $realm, $star_id, $other_id
// Returns: at, type, source, counted, gain
// Access: read

:param realm => 'demo';
:param star_id => COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0];
:param other_id => COLLECT { WITH COLLECT { MATCH (s0:Star {realm: 'demo'})-[r0]-(:Star) RETURN s0.id ORDER BY r0.strength DESC, s0.id LIMIT 1 }[0] AS chosen0 MATCH (:Star {realm: 'demo', id: chosen0})-[r0]-(o0:Star) RETURN o0.id ORDER BY r0.strength DESC, o0.id LIMIT 1 }[0];

CYPHER 25
WITH CASE WHEN $star_id < $other_id THEN $star_id + '|' + $other_id
     ELSE $other_id + '|' + $star_id END AS pair
MATCH (e:Evidence)
WHERE e.realm = $realm AND e.pair_key = pair AND e.observed_at IS NOT NULL
RETURN e.observed_at AS at, e.type AS type, e.source AS source, e.counted AS counted,
       e.applied_gain AS gain
ORDER BY at

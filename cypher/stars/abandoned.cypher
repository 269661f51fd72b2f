// Connections that never got past their beginnings and have slept for long (D-23).
//
// Parameters: $day, $settings, $realm
// Returns: lower, upper
// Access: read

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE r.state = 'DORMANT' AND $day - r.dormant_since >= $settings.archive_days
  AND r.engaged_state = 'NASCENT'
WITH split(r.pair_key, '|') AS ends
RETURN ends[0] AS lower, ends[1] AS upper ORDER BY lower, upper

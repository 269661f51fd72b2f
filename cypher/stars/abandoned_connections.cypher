// Returns connections that never got past NASCENT and have slept for long (D-23).
//
// Parameters: $day, $settings, $realm
// Returns: pair_key (lower|upper id)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
WHERE link.state = 'DORMANT' AND $day - link.dormant_since >= $settings.archive_days
  AND link.engaged_state = 'NASCENT'
RETURN link.pair_key AS pair_key ORDER BY pair_key

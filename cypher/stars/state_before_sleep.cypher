// Returns the state in which a connection fell asleep, or else that of its last engagement.
//
// Parameters: $lower, $upper, $realm
// Returns: state (state before the sleep)
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
RETURN coalesce(COLLECT {
  MATCH (change:ConnectionChange)
  WHERE change.realm = $realm AND change.pair_key = link.pair_key AND change.day IS NOT NULL
    AND change.field = 'state' AND change.to = 'DORMANT'
  WITH change ORDER BY change.at DESC LIMIT 1
  RETURN change.`from`
}[0], link.engaged_state) AS state

// The state a sleeping connection fell asleep in; without a record, the one it was last engaged in.
//
// Parameters: $lower, $upper, $realm
// Returns: state
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
RETURN coalesce(COLLECT {
  MATCH (change:ConnectionChange)
  WHERE change.realm = $realm AND change.pair_key = r.pair_key AND change.day IS NOT NULL
    AND change.field = 'state' AND change.to = 'DORMANT'
  WITH change ORDER BY change.at DESC LIMIT 1
  RETURN change.`from`
}[0], r.engaged_state) AS state

// The weekly closes of a connection's strength, oldest first, and its strength now.
//
// Parameters: $lower, $upper, $realm
// Returns: strengths, strength
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
RETURN r.s_week AS strengths, r.strength AS strength

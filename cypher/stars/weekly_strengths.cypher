// Returns the weekly strengths of a connection, oldest first, and its strength now.
//
// Parameters: $lower, $upper, $realm
// Returns: strengths (weekly strengths, oldest first), strength (strength now)
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $lower})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: $upper})
RETURN link.weekly_strengths AS strengths, link.strength AS strength

// Returns the pairs in which a star is connected.
//
// Parameters: $id, $realm
// Returns: pair_key (lower|upper id)
// Access: read

CYPHER 25
MATCH (:Star {realm: $realm, id: $id})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
RETURN link.pair_key AS pair_key ORDER BY pair_key

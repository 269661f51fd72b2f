// Keeps every connection as it is before a long catch-up, with its type and its two ends.
//
// Parameters: $settings, $realm
// Returns: connections
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
CALL (r) {
  MERGE (kept:KeptConnection {realm: $realm, id: r.pair_key})
  SET kept = properties(r), kept.id = r.pair_key, kept.connection = r.id, kept.type = type(r),
      kept.start = startNode(r).id, kept.end = endNode(r).id
} IN TRANSACTIONS OF $settings.close_rows ROWS
RETURN count(r) AS connections

// Stores every connection before a long catch-up, with its type and its two ends.
//
// Parameters: $settings, $realm
// Returns: nothing
// Access: batch

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
CALL (link) {
  MERGE (copy:KeptConnection {realm: $realm, id: link.pair_key})
  SET copy = properties(link), copy.id = link.pair_key, copy.connection = link.id,
      copy.type = type(link), copy.start = startNode(link).id, copy.end = endNode(link).id
} IN TRANSACTIONS OF $settings.close_rows ROWS

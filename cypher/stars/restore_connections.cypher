// Puts every kept connection in the place of what closes made of it.
//
// Parameters: $realm
// Returns: connections
// Access: write

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
OPTIONAL MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
DELETE r
WITH count(*) AS stars
MATCH (kept:KeptConnection) WHERE kept.realm = $realm AND kept.id IS NOT NULL
MATCH (a:Star {realm: $realm, id: kept.start})
MATCH (b:Star {realm: $realm, id: kept.end})
CREATE (a)-[r:$(kept.type)]->(b)
SET r = properties(kept), r.id = kept.connection, r.connection = null, r.type = null,
    r.start = null, r.end = null
RETURN count(r) AS connections

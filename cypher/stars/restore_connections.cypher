// Replaces all connections by those of the snapshot.
//
// Parameters: $realm
// Returns: nothing
// Access: write

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
OPTIONAL MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
DELETE link
WITH count(*) AS stars
MATCH (copy:KeptConnection) WHERE copy.realm = $realm AND copy.id IS NOT NULL
MATCH (start:Star {realm: $realm, id: copy.start})
MATCH (end:Star {realm: $realm, id: copy.end})
CREATE (start)-[link:$(copy.type)]->(end)
SET link = properties(copy), link.id = copy.connection, link.connection = null, link.type = null,
    link.start = null, link.end = null

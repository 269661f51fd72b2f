// One SIMILAR per pair of memories in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT similar_edge_id IF NOT EXISTS
FOR ()-[r:SIMILAR]-() REQUIRE (r.realm, r.edge_id) IS UNIQUE

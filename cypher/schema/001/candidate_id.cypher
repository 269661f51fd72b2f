// One Candidate per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT candidate_id IF NOT EXISTS
FOR (n:Candidate) REQUIRE (n.realm, n.id) IS UNIQUE

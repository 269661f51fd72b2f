// One Term per stem in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT term_stem IF NOT EXISTS
FOR (n:Term) REQUIRE (n.realm, n.stem) IS UNIQUE

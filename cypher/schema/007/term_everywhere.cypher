// A word in every realm: its frequency in the fulltext index, which all realms share.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX term_everywhere IF NOT EXISTS
FOR (n:Term) ON (n.stem)

// The vectors that some texts have.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $ids
// Returns: id, vector
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
WITH id, m.embedding AS vector WHERE vector IS NOT NULL
RETURN id, vector

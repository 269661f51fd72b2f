// The vectors that some texts have.
//
// Parameters: $realm, $ids
// Returns: id, vector
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
WHERE m.embedding IS NOT NULL
RETURN id, m.embedding AS vector

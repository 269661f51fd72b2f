// Returns the vectors of those texts that have one.
//
// A text that is forgotten while it is read has no properties any more, and is left out.
//
// Parameters: $realm, $ids
// Returns: id (id of the text), vector (vector of the text)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
WITH id, memory.embedding AS vector WHERE vector IS NOT NULL
RETURN id, vector

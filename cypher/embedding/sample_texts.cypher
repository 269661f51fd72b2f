// Reads some texts of a realm.
//
// Parameters: $realm, $limit
// Returns: text (of a memory)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm}) WHERE memory.id > '' AND memory.text IS NOT NULL
RETURN memory.text AS text
LIMIT $limit

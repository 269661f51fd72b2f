// Locks the links that a run colours, in the order given, and says how they are now.
//
// Parameters: $realm, $rows
// Returns: element, rev, weight, embedding
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[r:LINK]->() WHERE elementId(r) = row.element AND r.realm = $realm AND r.id = row.id
SET r.rev = coalesce(r.rev, 0) + 1
RETURN row.element AS element, r.rev AS rev, r.weight AS weight, r.embedding AS embedding

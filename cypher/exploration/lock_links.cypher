// Locks the links that a run colours, and returns them as they are now.
//
// Parameters: $realm, $rows
// Returns: id (of the link), element_id (of the link), revision (after the run), weight
//   (null if it has none), embedding (null if it has none)
// Locks: the links in the order of the rows
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[link:LINK]->()
WHERE elementId(link) = row.element_id AND link.realm = $realm AND link.id = row.id
SET link.revision = coalesce(link.revision, 0) + 1
RETURN row.id AS id, row.element_id AS element_id, link.revision AS revision,
       link.weight AS weight, link.embedding AS embedding

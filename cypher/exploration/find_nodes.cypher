// Finds nodes to walk on by id. A Star and a Thing may have the same id.
//
// Parameters: $realm, $ids
// Returns: id (of the node), labels (of the node), element_id (of the node)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE node.realm = $realm AND node.id = id
RETURN node.id AS id, labels(node) AS labels, elementId(node) AS element_id

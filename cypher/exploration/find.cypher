// Finds what can be walked on, by id; one id may be a Star's and a Thing's.
//
// Parameters: $realm, $ids
// Returns: id, labels, element
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE n.realm = $realm AND n.id = id
RETURN n.id AS id, labels(n) AS labels, elementId(n) AS element

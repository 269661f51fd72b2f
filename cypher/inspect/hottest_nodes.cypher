// The nodes that explorations have left the most energy in.
//
// Parameters: $realm, $limit
// Returns: node, kind, name, energy, weight
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE node.realm = $realm AND node.id IS NOT NULL AND node.energy > 0
RETURN node, node.kind AS kind, coalesce(node.name, node.caption, node.id) AS name,
       node.energy AS energy, node.weight AS weight
ORDER BY energy DESC, name
LIMIT toInteger($limit)

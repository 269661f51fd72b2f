// The nodes in which explorations left the most energy.
//
// Parameters: $realm, $limit
// Returns: node (the node itself), kind (kind of the node), name (its name or caption or id),
//   energy (warmth that explorations left), weight (weight when explorations score it)
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

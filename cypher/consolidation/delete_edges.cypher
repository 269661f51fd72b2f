// Removes edges by similarity that stronger ones take the place of.
//
// Parameters: $realm, $ids
// Returns: displaced (number of edges removed)
// Access: write

CYPHER 25
UNWIND $ids AS edge_id
MATCH ()-[edge:SIMILAR {realm: $realm, edge_id: edge_id}]->()
  USING INDEX SEEK edge:SIMILAR(realm, edge_id)
DELETE edge
RETURN count(*) AS displaced

// Reads the nodes that an exploration walked over, and the narratives it created.
//
// Parameters: $realm, $id, $limit
// Returns: elements (element ids)
// Access: read

CYPHER 25
MATCH (run:Run {realm: $realm, id: $id})
WHERE run.kind = 'exploration' AND run.at IS NOT NULL
CALL (run) {
  UNWIND run.visited + coalesce(run.created_ids, []) AS node_id
  MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE node.realm = $realm AND node.id = node_id
  RETURN node LIMIT $limit
}
RETURN collect(DISTINCT elementId(node)) AS elements

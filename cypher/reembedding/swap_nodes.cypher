// Puts the next vectors of nodes in the place of the present ones.
//
// A vector that has none to follow it goes: a memory waits to be embedded again, another node had
// no text. What has been replaced before stays as it is.
//
// Parameters: $realm, $model, $rows
// Returns: id (of the node), followed (false if there was no vector of the next model)
// Access: write
// Locks: the nodes in the order of the rows, which come by id, by a write that changes nothing

CYPHER 25
// 1. The nodes that have not been through this: node, vector.
UNWIND $rows AS row
CALL (row) {
  MATCH (node:Memory {realm: $realm, id: row.id}) WHERE row.label = 'Memory' RETURN node
UNION ALL
  MATCH (node:Narrative {realm: $realm, id: row.id}) WHERE row.label = 'Narrative' RETURN node
UNION ALL
  MATCH (node:Intent {realm: $realm, id: row.id}) WHERE row.label = 'Intent' RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id}) WHERE row.label = 'Consequence' RETURN node
UNION ALL
  MATCH (node:Actor {realm: $realm, id: row.id}) WHERE row.label = 'Actor' RETURN node
UNION ALL
  MATCH (node:Moment {realm: $realm, id: row.id}) WHERE row.label = 'Moment' RETURN node
UNION ALL
  MATCH (node:Space {realm: $realm, id: row.id}) WHERE row.label = 'Space' RETURN node
UNION ALL
  MATCH (node:Thing {realm: $realm, id: row.id}) WHERE row.label = 'Thing' RETURN node
}
SET node.realm = $realm
WITH node, node.embedding_next AS vector, node.embedding_next_model AS next_model
WHERE node.embedding IS NOT NULL AND coalesce(node.embedding_model <> $model, true)
// 2. The next vector in the place of the present one.
LET followed = vector IS NOT NULL AND coalesce(next_model = $model, false)
REMOVE node.embedding, node.embedding_next, node.embedding_next_model
SET node.embedding_model = CASE WHEN followed THEN $model END
FOREACH (memory IN CASE WHEN node:Memory AND NOT followed THEN [node] ELSE [] END |
  SET memory.unembedded = true)
CALL (node, vector, followed) {
  FILTER followed
  CALL db.create.setNodeVectorProperty(node, 'embedding', vector)
}
RETURN node.id AS id, followed

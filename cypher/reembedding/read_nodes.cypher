// Reads nodes of a label in the order of their ids, with the text that their vector is made of.
//
// The vector of an answer is that of its question.
//
// Parameters: $realm, $label, $after, $limit, $model
// Returns: id (of the node), text (of its vector or null), question (true if the text is embedded
//   as one), pending (true if it has a vector and none of the next model)
// Access: read

CYPHER 25
// 1. A page of the nodes of this label: node, text, question.
CALL () {
  UNWIND CASE WHEN $label = 'Memory' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Memory {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       coalesce(node.passage, node.text) AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Narrative' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Narrative {realm: realm}) WHERE node.id > $after
  WITH node, EXISTS { (node)-[:QUOTES]->() } AS question,
       CASE WHEN EXISTS { (node)-[:QUOTES]->() } THEN node.name ELSE
         [text IN [node.synthesis, node.content, node.name] WHERE text <> '' | text][0]
       END AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Intent' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Intent {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       node.text AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Consequence' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Consequence {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       node.text AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Actor' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Actor {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       [text IN [node.synthesis, node.content, node.name] WHERE text <> '' | text][0] AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Moment' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Moment {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       [text IN [node.synthesis, node.content, node.name] WHERE text <> '' | text][0] AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Space' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Space {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       [text IN [node.synthesis, node.content, node.name] WHERE text <> '' | text][0] AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
UNION ALL
  UNWIND CASE WHEN $label = 'Thing' THEN [$realm] ELSE [] END AS realm
  MATCH (node:Thing {realm: realm}) WHERE node.id > $after
  WITH node, false AS question,
       [text IN [node.synthesis, node.content, node.name] WHERE text <> '' | text][0] AS text
  ORDER BY node.id LIMIT $limit
  RETURN node, text, question
}
// 2. Those that have no next vector yet: pending.
WITH node.id AS id, text, question,
     node.embedding IS NOT NULL AND coalesce(node.embedding_model <> $model, true)
       AND coalesce(node.embedding_next_model <> $model, true) AS pending
ORDER BY id
RETURN id, text, question, pending

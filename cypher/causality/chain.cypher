// Reads the paths of causes and prompts that start at an intent or consequence, longest first.
//
// A consequence may prompt several intents, so this is a tree; only whole branches are returned.
//
// Parameters: $realm, $id, $depth, $limit
// Returns: steps (nodes of the path, each with the relationship that leads to it; empty if nothing
//   follows)
// Access: read

CYPHER 25
CALL () {
  MATCH (start:Intent {realm: $realm, id: $id})
  RETURN start
UNION ALL
  MATCH (start:Consequence {realm: $realm, id: $id})
  RETURN start
}
// whole branches: paths that end at the greatest depth or at a node without a successor
OPTIONAL MATCH path = (start)(()-[steps:CAUSES|PROMPTS]->()){1,60}(last)
WHERE allReduce(length = 0, step IN steps | length + 1, length <= $depth)
  AND (size(steps) = $depth OR NOT EXISTS { (last)-[:CAUSES|PROMPTS]->() })
WITH path
ORDER BY length(path) DESC, [node IN nodes(path) | node.anchor_index]
LIMIT $limit
// steps: every node with the relationship before it
WITH coalesce(nodes(path), []) AS nodes, coalesce(relationships(path), []) AS links
RETURN [at IN range(0, size(nodes) - 1) | {
    id: nodes[at].id, session_id: nodes[at].session_id,
    kind: CASE WHEN nodes[at]:Intent THEN 'intent' ELSE 'consequence' END,
    by: CASE at WHEN 0 THEN null ELSE toLower(type(links[at - 1])) END,
    anchor_index: nodes[at].anchor_index, actor: nodes[at].actor, type: nodes[at].type,
    strength: nodes[at].strength, text: nodes[at].text,
    line_gap: CASE at WHEN 0 THEN null ELSE links[at - 1].line_gap END,
    score: CASE at WHEN 0 THEN null ELSE links[at - 1].score END,
    reason: CASE at WHEN 0 THEN null ELSE links[at - 1].reason END,
    shared_words: CASE at WHEN 0 THEN null ELSE links[at - 1].shared_words END,
    throw_skill: CASE at WHEN 0 THEN null ELSE links[at - 1].throw_skill END,
    throw_number: CASE at WHEN 0 THEN null ELSE links[at - 1].throw_number END
  }] AS steps

// Reads the paths of causes and prompts that start at an intent, longest first.
//
// A consequence may prompt several intents, so this is a tree; only whole branches are returned.
//
// Parameters: $realm, $intent_id, $depth, $limit
// Returns: steps (nodes of the path, each with the relationship that leads to it; empty if
//   unclaimed)
// Access: read

CYPHER 25
// whole branches: paths that end at the greatest depth or at a node without a successor
MATCH (start:Intent {realm: $realm, id: $intent_id})
OPTIONAL MATCH path = (start)-[:CAUSES|PROMPTS*1..60]->(last)
WHERE length(path) <= $depth
  AND (length(path) = $depth OR NOT EXISTS { (last)-[:CAUSES|PROMPTS]->() })
WITH path
ORDER BY length(path) DESC, [node IN nodes(path) | node.anchor_index]
LIMIT $limit
// steps: every node with the type, gap and score of the relationship before it
WITH coalesce(nodes(path), []) AS nodes, coalesce(relationships(path), []) AS links
RETURN [at IN range(0, size(nodes) - 1) | {
    id: nodes[at].id,
    kind: CASE WHEN nodes[at]:Intent THEN 'intent' ELSE 'consequence' END,
    by: CASE at WHEN 0 THEN null ELSE toLower(type(links[at - 1])) END,
    anchor_index: nodes[at].anchor_index, actor: nodes[at].actor, type: nodes[at].type,
    strength: nodes[at].strength, text: nodes[at].text,
    line_gap: CASE at WHEN 0 THEN null ELSE links[at - 1].line_gap END,
    score: CASE at WHEN 0 THEN null ELSE links[at - 1].score END
  }] AS steps

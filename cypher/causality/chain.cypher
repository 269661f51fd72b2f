// Where an intent led: paths of causes and prompts, longest first.
//
// A consequence may prompt several intents, so this is a tree; only whole branches are returned.
//
// Parameters: $realm, $intent_id, $depth, $limit
// Returns: found, steps
// Access: read

CYPHER 25
MATCH (start:Intent {realm: $realm, id: $intent_id})
OPTIONAL MATCH path = (start)-[:CAUSES|PROMPTS*1..60]->(last)
WHERE length(path) <= $depth
  AND (length(path) = $depth OR NOT EXISTS { (last)-[:CAUSES|PROMPTS]->() })
WITH start, path
ORDER BY length(path) DESC, [node IN nodes(path) | node.anchor_index]
LIMIT $limit
WITH start, path, coalesce(nodes(path), []) AS nodes, coalesce(relationships(path), []) AS steps
RETURN start.id AS found,
       [at IN range(0, size(nodes) - 1) | {
         id: nodes[at].id,
         kind: CASE WHEN nodes[at]:Intent THEN 'intent' ELSE 'consequence' END,
         by: CASE at WHEN 0 THEN null ELSE toLower(type(steps[at - 1])) END,
         anchor_index: nodes[at].anchor_index, actor: nodes[at].actor, type: nodes[at].type,
         strength: nodes[at].strength, text: nodes[at].text,
         line_gap: CASE at WHEN 0 THEN null ELSE steps[at - 1].line_gap END,
         score: CASE at WHEN 0 THEN null ELSE steps[at - 1].score END
       }] AS steps

// Reads the paths of causes and prompts that end at intents or consequences, longest first.
//
// Several intents may share a consequence, so this is a tree; only whole branches are returned. A
// memory stands for the intents and consequences that it describes or is linked to.
//
// Parameters: $realm, $ids, $depth, $limit
// Returns: id (of the intent, consequence or memory), steps (nodes of the path from the first one
//   on, each with the relationship that leads to it; empty if nothing led there)
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (last:Intent {realm: $realm, id: id})
  RETURN id, last
UNION ALL
  UNWIND $ids AS id
  MATCH (last:Consequence {realm: $realm, id: id})
  RETURN id, last
UNION ALL
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})-[:DESCRIBES|LINK]-(last:Intent|Consequence)
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN DISTINCT id, last
}
// whole branches: paths that begin at the greatest depth or at a node that nothing led to
CALL (last) {
  OPTIONAL MATCH path = (last)(()<-[steps:CAUSES|PROMPTS]-()){1,60}(first)
  WHERE allReduce(length = 0, step IN steps | length + 1, length <= $depth)
    AND (size(steps) = $depth OR NOT EXISTS { (first)<-[:CAUSES|PROMPTS]-() })
  WITH path
  ORDER BY length(path) DESC, [node IN reverse(nodes(path)) | node.anchor_index]
  LIMIT $limit
  RETURN path
}
// steps: every node, the first one first, with the relationship before it
WITH id, reverse(coalesce(nodes(path), [])) AS nodes,
     reverse(coalesce(relationships(path), [])) AS links
RETURN id, [at IN range(0, size(nodes) - 1) | {
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
ORDER BY id, size(steps) DESC, [step IN steps | step.anchor_index]

// Chains of causes and prompts that start at one intent, as a picture.
//
// Parameters: $realm, $intent_id
// Returns: path (chain from the intent to its end)
// Access: read

:param realm => 'demo';
:param intent_id => COLLECT { MATCH (i0:Intent {realm: 'demo'})-[:CAUSES]->()-[:PROMPTS]->(j0) RETURN i0.id ORDER BY j0.anchor_index, i0.id LIMIT 1 }[0];

CYPHER 25
MATCH path = (:Intent {realm: $realm, id: $intent_id})-[:CAUSES|PROMPTS*1..12]->()
RETURN path
ORDER BY length(path) DESC
LIMIT 25

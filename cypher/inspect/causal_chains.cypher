// Chains of causes from one intent, as a picture: who tried what, what came, what that prompted.
//
// Parameters: $realm, $intent_id
// Returns: path
// Access: read

:param realm => 'demo';
:param intent_id => COLLECT { MATCH (i:Intent {realm: 'demo'})-[:CAUSES]->()-[:PROMPTS]->(j) RETURN i.id ORDER BY j.anchor_index, i.id LIMIT 1 }[0];

CYPHER 25
MATCH path = (:Intent {realm: $realm, id: $intent_id})-[:CAUSES|PROMPTS*1..12]->()
RETURN path
ORDER BY length(path) DESC
LIMIT 25

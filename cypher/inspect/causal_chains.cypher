// Chains of causes from one intent, as a picture: who tried what, what came, what that prompted.
//
// In Browser first, with an id from causal links:
//   :param {realm: 'default', intent_id: '...'}
//
// Parameters: $realm, $intent_id
// Returns: path
// Access: read

CYPHER 25
MATCH path = (:Intent {realm: $realm, id: $intent_id})-[:CAUSES|PROMPTS*1..12]->()
RETURN path
ORDER BY length(path) DESC
LIMIT 25

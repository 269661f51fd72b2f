// Removes what this run did not touch: relationships first, then nodes.
//
// Parameters: $realm, $session_id, $run_id
// Returns: swept
// Access: write

CYPHER 25
CALL () {
  MATCH (intent:Intent {realm: $realm, session_id: $session_id})
  WHERE intent.anchor_index IS NOT NULL
  MATCH (intent)-[old:ATTEMPTED|CAUSES|PROMPTS|ANCHORED_AT]-()
  WHERE old.run_id <> $run_id
  DELETE old
UNION
  MATCH (consequence:Consequence {realm: $realm, session_id: $session_id})
  WHERE consequence.anchor_index IS NOT NULL
  MATCH (consequence)-[old:ANCHORED_AT]->()
  WHERE old.run_id <> $run_id
  DELETE old
}
CALL () {
  MATCH (node:Intent {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, session_id: $session_id})
  WHERE node.anchor_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
UNION ALL
  MATCH (node:Utterance {realm: $realm, session_id: $session_id})
  WHERE node.line_index IS NOT NULL AND node.run_id <> $run_id
  RETURN node
}
DETACH DELETE node
RETURN count(*) AS swept

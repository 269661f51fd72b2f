// Reads recorded intents, consequences and sessions that break a rule which must always hold.
//
// A session that is being recorded or forgotten has no run, and is not checked.
//
// Parameters: $realm, $settings
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read

CYPHER 25
// 1. recorded nodes: intents, consequences, and sessions with a run
CALL () {
  MATCH (intent:Intent)
  WHERE intent.realm = $realm AND intent.id IS NOT NULL AND intent.anchor_index IS NOT NULL
  RETURN intent AS node
UNION ALL
  MATCH (consequence:Consequence)
  WHERE consequence.realm = $realm AND consequence.id IS NOT NULL
    AND consequence.anchor_index IS NOT NULL
  RETURN consequence AS node
UNION ALL
  MATCH (session:Session)
  WHERE session.realm = $realm AND session.id IS NOT NULL AND session.run_id IS NOT NULL
  RETURN session AS node
}
// 2. rules, each with the value that breaks it
CALL (node) {
  // labels and session of a node by itself
  WITH node
  WHERE NOT node:Session AND NOT EXISTS { MATCH (:Session {realm: $realm, id: node.session_id}) }
  RETURN 'the session is there' AS rule, 'none' AS value, node.session_id AS expected
UNION ALL
  WITH node
  WHERE node:Intent AND ((node:Strong) <> (node.strength = 'strong')
    OR (node:Weak) <> (node.strength = 'weak') OR NOT node.strength IN ['strong', 'weak'])
  RETURN 'the label is the strength' AS rule, labels(node)[-1] AS value,
         node.strength AS expected
UNION ALL
  WITH node WHERE node:Intent AND (node:Unclaimed) = coalesce(node.claimed, true)
  RETURN 'what claims nothing is labelled so' AS rule, toString(node:Unclaimed) AS value,
         toString(NOT node:Unclaimed) AS expected
UNION ALL
  // relationships of an intent, and of causes and prompts
  MATCH (session:Session {realm: $realm, id: node.session_id})
  WHERE node:Intent AND session.run_id = node.run_id
  WITH node, CASE WHEN node.claimed THEN 1 ELSE 0 END AS claims,
       COUNT { (node)-[:CAUSES]->() } AS causes, COUNT { (:Actor)-[:ATTEMPTED]->(node) } AS actors
  WHERE causes <> claims OR actors <> 1
  RETURN 'an intent has one actor, and one consequence if it claims one' AS rule,
         actors + ' and ' + causes AS value, '1 and ' + claims AS expected
UNION ALL
  MATCH (node)-[step:CAUSES|PROMPTS]->(later)
  WITH node, step, later, later.anchor_index - node.anchor_index AS line_gap
  WHERE coalesce(line_gap <= 0 OR node.session_id <> later.session_id
    OR step.line_gap <> line_gap, true)
  RETURN 'causes and prompts lead to a later line of the session' AS rule,
         node.anchor_index + ' to ' + coalesce(toString(later.anchor_index), 'none')
           + ', gap ' + step.line_gap AS value,
         'a gap of ' + coalesce(toString(line_gap), 'some lines') AS expected
UNION ALL
  MATCH (node)-[cause:CAUSES]->()
  WHERE coalesce(isNaN(cause.score) OR cause.score < 0.0, true)
  RETURN 'a cause has its score' AS rule, toStringOrNull(cause.score) AS value,
         '0 or more' AS expected
UNION ALL
  // totals of a session beside the nodes that it holds
  WITH node WHERE node:Session
  LET counts = [
    COUNT { MATCH (intent:Intent {realm: $realm, session_id: node.id})
            WHERE intent.anchor_index IS NOT NULL },
    COUNT { MATCH (consequence:Consequence {realm: $realm, session_id: node.id})
            WHERE consequence.anchor_index IS NOT NULL },
    COUNT { MATCH (utterance:Utterance {realm: $realm, session_id: node.id})
            WHERE utterance.line_index IS NOT NULL }],
    totals = [node.intents, node.consequences, node.utterances]
  FILTER counts <> totals
  RETURN 'a session holds what it was recorded with' AS rule,
         reduce(text = '', count IN counts | text + count + ' ') AS value,
         reduce(text = '', total IN totals | text + total + ' ') AS expected
}
RETURN rule, node.id AS id, value, expected ORDER BY rule, id LIMIT $settings.offenders

// Recorded intents, consequences and sessions that break a rule which must always hold.
//
// A session that is being recorded or forgotten has no run, and is not looked into.
//
// Parameters: $realm, $settings
// Returns: invariant, id, found, expected
// Access: read

CYPHER 25
CALL () {
  MATCH (i:Intent) WHERE i.realm = $realm AND i.id IS NOT NULL AND i.anchor_index IS NOT NULL
  RETURN i AS node
UNION ALL
  MATCH (c:Consequence) WHERE c.realm = $realm AND c.id IS NOT NULL AND c.anchor_index IS NOT NULL
  RETURN c AS node
UNION ALL
  MATCH (session:Session) WHERE session.realm = $realm AND session.id IS NOT NULL AND session.run_id IS NOT NULL
  RETURN session AS node
}
CALL (node) {
  WITH node WHERE NOT node:Session AND NOT EXISTS { MATCH (:Session {realm: $realm, id: node.session_id}) }
  RETURN 'the session is there' AS invariant, 'none' AS found, node.session_id AS expected
UNION ALL
  WITH node WHERE node:Intent AND ((node:Strong) <> (node.strength = 'strong') OR (node:Weak) <> (node.strength = 'weak')
    OR NOT node.strength IN ['strong', 'weak'])
  RETURN 'the label is the strength' AS invariant, labels(node)[-1] AS found, node.strength AS expected
UNION ALL
  WITH node WHERE node:Intent AND (node:Unclaimed) = coalesce(node.claimed, true)
  RETURN 'what claims nothing is labelled so' AS invariant, toString(node:Unclaimed) AS found,
         toString(NOT node:Unclaimed) AS expected
UNION ALL
  MATCH (session:Session {realm: $realm, id: node.session_id}) WHERE node:Intent AND session.run_id = node.run_id
  WITH node, COUNT { (node)-[:CAUSES]->() } AS causes, COUNT { (:Actor)-[:ATTEMPTED]->(node) } AS actors
  WHERE causes <> CASE WHEN node.claimed THEN 1 ELSE 0 END OR actors <> 1
  RETURN 'an intent has one actor, and one consequence if it claims one' AS invariant,
         actors + ' and ' + causes AS found, '1 and ' + CASE WHEN node.claimed THEN 1 ELSE 0 END AS expected
UNION ALL
  MATCH (node)-[r:CAUSES|PROMPTS]->(later)
  WHERE coalesce(NOT node.anchor_index < later.anchor_index OR node.session_id <> later.session_id
    OR r.line_gap <> later.anchor_index - node.anchor_index, true)
  RETURN 'causes and prompts lead to a later line of the session' AS invariant,
         node.anchor_index + ' to ' + coalesce(toString(later.anchor_index), 'none') + ', gap ' + r.line_gap AS found,
         'a gap of ' + coalesce(toString(later.anchor_index - node.anchor_index), 'some lines') AS expected
UNION ALL
  MATCH (node)-[r:CAUSES]->()
  WHERE coalesce(isNaN(r.score) OR r.score < 0.0, true)
  RETURN 'a cause has its score' AS invariant, toStringOrNull(r.score) AS found, '0 or more' AS expected
UNION ALL
  WITH node WHERE node:Session
  LET held = [
    COUNT { MATCH (i:Intent {realm: $realm, session_id: node.id}) WHERE i.anchor_index IS NOT NULL },
    COUNT { MATCH (c:Consequence {realm: $realm, session_id: node.id}) WHERE c.anchor_index IS NOT NULL },
    COUNT { MATCH (u:Utterance {realm: $realm, session_id: node.id}) WHERE u.line_index IS NOT NULL }],
    told = [node.intents, node.consequences, node.utterances]
  FILTER held <> told
  RETURN 'a session holds what it was recorded with' AS invariant, reduce(t = '', x IN held | t + x + ' ') AS found,
         reduce(t = '', x IN told | t + x + ' ') AS expected
}
RETURN invariant, node.id AS id, found, expected ORDER BY invariant, id LIMIT $settings.offenders

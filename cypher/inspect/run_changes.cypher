// The changes of an exploration: the narratives it created, and the links it coloured.
//
// Parameters: $realm, $run_id
// Returns: changed (created or coloured), path (link with both ends)
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
CALL (run) {
  UNWIND run.created_ids AS created_id
  MATCH path = (narrative:Narrative)-[:LINK]-()
  WHERE narrative.realm = $realm AND narrative.id = created_id
  RETURN 'created' AS changed, path
UNION ALL
  UNWIND run.coloured AS link_id
  MATCH path = ()-[link:LINK]->()
    USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = link_id
  RETURN 'coloured' AS changed, path
}
RETURN changed, path

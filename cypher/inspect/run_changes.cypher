// What an exploration left behind: the narratives it created, and the links it coloured.
//
// Parameters: $realm, $run_id
// Returns: changed, path
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
CALL (run) {
  UNWIND run.created_ids AS id
  MATCH path = (made:Narrative)-[:LINK]-()
  WHERE made.realm = $realm AND made.id = id
  RETURN 'created' AS changed, path
UNION ALL
  UNWIND run.coloured AS id
  MATCH path = ()-[link:LINK]->()
    USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = id
  RETURN 'coloured' AS changed, path
}
RETURN changed, path

// The links that an exploration walked, from its start to its end.
//
// Parameters: $realm, $run_id
// Returns: path (link with both ends)
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
UNWIND run.walked AS id
MATCH path = ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
WHERE link.realm = $realm AND link.id = id
RETURN path

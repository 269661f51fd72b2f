// What an exploration left behind: the narratives it created, and the links it coloured.
//
// In Browser first, with an id from exploration runs:
//   :param {realm: 'default', run_id: '...'}
//
// Parameters: $realm, $run_id
// Returns: changed, path
// Access: read

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
  WHERE link.realm = $realm AND link.id = id
  RETURN 'coloured' AS changed, path
}
RETURN changed, path

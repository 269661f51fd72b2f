// What an exploration walked, as a picture: its links, from the start to where it ended.
//
// In Browser first, with an id from exploration runs:
//   :param {realm: 'default', run_id: '...'}
//
// Parameters: $realm, $run_id
// Returns: path
// Access: read

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
UNWIND run.walked AS id
MATCH path = ()-[link:LINK]->()
WHERE link.realm = $realm AND link.id = id
RETURN path

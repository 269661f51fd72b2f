// What an exploration walked over, and the narratives it created.
//
// Parameters: $realm, $id, $limit
// Returns: elements
// Access: read

CYPHER 25
MATCH (run:Run {realm: $realm, id: $id})
WHERE run.kind = 'exploration' AND run.at IS NOT NULL
CALL (run) {
  UNWIND run.visited + coalesce(run.created_ids, []) AS visited
  MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE n.realm = $realm AND n.id = visited
  RETURN n LIMIT $limit
}
RETURN collect(DISTINCT elementId(n)) AS elements

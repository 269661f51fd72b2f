// What stands on corrected memories until that is confirmed, as a picture.
//
// Parameters: $realm, $until
// Returns: stands (number of edges and links), paths (these with both ends), marks (in words),
//   corrections (what superseded the memories)
// Access: read

:param realm => 'demo';
:param until => datetime();

CYPHER 25
OPTIONAL MATCH (former:Memory)
  WHERE former.realm = $realm AND former.id IS NOT NULL AND former.superseded_by IS NOT NULL
OPTIONAL MATCH correction = (former)<-[link:SUPERSEDES]-(successor:Memory)
  WHERE link.correction_confirmed_at IS NULL AND link.at <= $until
OPTIONAL MATCH path =
  (former)-[:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|LINK]-(other)
  WHERE link IS NOT NULL AND NOT EXISTS { (other)-[:SUPERSEDES]->+(former) }
    AND NOT EXISTS { (former)-[:SUPERSEDES]->+(other) }
RETURN count(path) AS stands, collect(path) AS paths,
       collect(DISTINCT former.id + ' was superseded by ' + successor.id) AS marks,
       collect(DISTINCT correction) AS corrections

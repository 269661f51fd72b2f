// Removes narratives a run created, with the links it gave them, if nothing touched them since.
//
// Parameters: $realm, $rows
// Returns: id, removed
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (n:Narrative) WHERE n.realm = $realm AND n.id = row.id
SET n.rev = n.rev
WITH row, n, collect { MATCH (n)-[r]-() RETURN CASE WHEN r.rev IS NULL THEN r.id END } AS joined
WITH row, n, n.rev IS NULL AND n.energy = row.energy AND n.weight = row.energy
  AND all(id IN row.links + joined WHERE id IN row.links)
  AND COUNT { (n)--() } = size([id IN joined WHERE id IN row.links]) AS same
CALL (n, same) {
  FILTER same
  DETACH DELETE n
}
RETURN row.id AS id, coalesce(same, false) AS removed

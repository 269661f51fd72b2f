// Restores the weight and vector that links had before a run, unless they were changed since.
//
// A link is unchanged if revision and weight are those that the run left.
//
// Parameters: $realm, $rows
// Returns: id (of the link), undone (false if something changed it since)
// Locks: the links in the order of the rows, by a write that changes nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id = row.id
SET link.revision = link.revision
WITH row, link,
     coalesce(link.revision = row.revision AND link.weight = row.weight, false) AS unchanged
FOREACH (_ IN CASE WHEN unchanged THEN [1] ELSE [] END |
  SET link.weight = row.weight_before, link.embedding = null,
      link.revision = CASE WHEN row.revision = 1 THEN null ELSE row.revision - 1 END)
CALL (link, row, unchanged) {
  FILTER unchanged AND row.embedding_before IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(link, 'embedding', row.embedding_before)
}
RETURN row.id AS id, unchanged AS undone

// Gives links back the weight and vector they had before a run, if nothing touched them since.
//
// Parameters: $realm, $rows
// Returns: id, restored
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH ()-[r:LINK]->()
  USING INDEX SEEK r:LINK(realm, id)
  WHERE r.realm = $realm AND r.id = row.id
SET r.rev = r.rev
WITH row, r, coalesce(r.rev = row.rev AND r.weight = row.weight, false) AS same
FOREACH (link IN CASE WHEN same THEN [r] ELSE [] END |
  SET link.weight = row.weight_before, link.embedding = null,
      link.rev = CASE WHEN row.rev = 1 THEN null ELSE row.rev - 1 END)
CALL (r, row, same) {
  FILTER same AND row.embedding_before IS NOT NULL
  CALL db.create.setRelationshipVectorProperty(r, 'embedding', row.embedding_before)
}
RETURN row.id AS id, same AS restored

// Deletes narratives that a run created, with their links, unless they were changed since.
//
// A narrative is unchanged if no other run added energy to it, all its relationships are those of
// the run, and none of them was coloured.
//
// Parameters: $realm, $rows
// Returns: id (of the narrative), undone (false if something changed it since)
// Locks: the narratives in the order of the rows, by a write that changes nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (narrative:Narrative) WHERE narrative.realm = $realm AND narrative.id = row.id
SET narrative.revision = narrative.revision
WITH row, narrative, collect {
  MATCH (narrative)-[link]-()
  RETURN CASE WHEN link.revision IS NULL THEN link.id END
} AS link_ids
WITH row, narrative,
     narrative.revision IS NULL AND narrative.energy = row.energy
     AND narrative.weight = row.energy
     AND all(id IN row.links + link_ids WHERE id IN row.links)
     AND COUNT { (narrative)--() } = size([id IN link_ids WHERE id IN row.links]) AS unchanged
CALL (narrative, unchanged) {
  FILTER unchanged
  DETACH DELETE narrative
}
RETURN row.id AS id, coalesce(unchanged, false) AS undone

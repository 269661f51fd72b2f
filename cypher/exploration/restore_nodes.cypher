// Restores the energy and weight that nodes had before a run, unless they were changed since.
//
// A node is unchanged if revision, energy and weight are those that the run left.
//
// Parameters: $realm, $rows
// Returns: id (of the node), undone (false if something changed it since)
// Locks: the nodes in the order of the rows, by a write that changes nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE node.realm = $realm AND node.id = row.id AND row.label IN labels(node)
SET node.revision = node.revision
WITH row, node, coalesce(node.revision = row.revision AND node.energy = row.energy
  AND node.weight = row.weight, false) AS unchanged
FOREACH (_ IN CASE WHEN unchanged THEN [1] ELSE [] END |
  SET node.energy = row.energy_before, node.weight = row.weight_before,
      node.revision = CASE WHEN row.revision = 1 THEN null ELSE row.revision - 1 END)
RETURN row.id AS id, unchanged AS undone

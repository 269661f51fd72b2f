// Gives nodes back the energy and weight they had before a run, if nothing touched them since.
//
// Parameters: $realm, $rows
// Returns: id, restored
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE n.realm = $realm AND n.id = row.id AND row.label IN labels(n)
SET n.rev = n.rev
WITH row, n, coalesce(n.rev = row.rev AND n.energy = row.energy AND n.weight = row.weight, false) AS same
FOREACH (node IN CASE WHEN same THEN [n] ELSE [] END |
  SET node.energy = row.energy_before, node.weight = row.weight_before,
      node.rev = CASE WHEN row.rev = 1 THEN null ELSE row.rev - 1 END)
RETURN row.id AS id, same AS restored

// Adds a run's energy and weight to the nodes it visited, and returns them before and after.
//
// The first SET takes the lock, so the values read after it can't be changed by another run.
//
// Parameters: $realm, $rows
// Returns: id (of the node), label (of the row), revision (after the run), energy_before
//   (null if it had none), weight_before (null if it had none), energy (after the run), weight
//   (after the run)
// Locks: the nodes in the order of the rows
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (node) WHERE elementId(node) = row.element_id AND node.realm = $realm AND node.id = row.id
SET node.revision = coalesce(node.revision, 0) + 1
WITH row, node, node.energy AS energy_before, node.weight AS weight_before
SET node.energy = coalesce(energy_before, 0.0) + row.energy,
    node.weight = coalesce(weight_before, 1.0) + row.weight
RETURN row.id AS id, row.label AS label, node.revision AS revision, energy_before, weight_before,
       node.energy AS energy, node.weight AS weight

// Adds a run's energy and weight to the nodes it visited, each locked first.
//
// The change of rev takes the lock, so what is read after it is nobody else's any more.
//
// Parameters: $realm, $rows
// Returns: element, rev, energy_before, weight_before, energy, weight
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element AND n.realm = $realm AND n.id = row.id
SET n.rev = coalesce(n.rev, 0) + 1
WITH row, n, n.energy AS energy, n.weight AS weight
SET n.energy = coalesce(energy, 0.0) + row.energy, n.weight = coalesce(weight, 1.0) + row.weight
RETURN row.element AS element, n.rev AS rev, energy AS energy_before, weight AS weight_before,
       n.energy AS energy, n.weight AS weight

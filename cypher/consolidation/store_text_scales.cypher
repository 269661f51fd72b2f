// Stores what cosines some texts have with the others of their realm.
//
// A text that is forgotten meanwhile is left out.
//
// Parameters: $realm, $rows
// Returns: stored (number of texts)
// Access: write
// Locks: the Memory nodes, under the turn of consolidation and of the texts

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
SET memory.cosine_mean = row.mean, memory.cosine_deviation = row.deviation
RETURN count(memory) AS stored

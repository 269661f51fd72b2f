// Writes the lines that answered something, one node each.
//
// Parameters: $realm, $now, $run_id, $rows
// Returns: saved
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (consequence:Consequence {realm: $realm, id: row.id})
ON CREATE SET consequence.created_at_ms = $now.epochMillis, consequence.kind = 'moment',
              consequence.weight = 1.0, consequence.energy = 0.0, consequence.permanence = 0.5
FOREACH (stale IN CASE WHEN consequence.text <> row.props.text THEN [consequence] ELSE [] END |
  REMOVE stale.embedding, stale.embedding_model)
SET consequence += row.props, consequence.run_id = $run_id
RETURN count(consequence) AS saved

// Writes the claimed DM lines, one node each.
//
// A changed text loses its vector: the new one is written later in the same transaction.
//
// Parameters: $realm, $now, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (consequence:Consequence {realm: $realm, id: row.id})
ON CREATE SET consequence.created_at_ms = $now.epochMillis, consequence.kind = 'moment',
              consequence.weight = 1.0, consequence.energy = 0.0, consequence.permanence = 0.5
FOREACH (_ IN CASE WHEN consequence.text <> row.props.text THEN [1] ELSE [] END |
  REMOVE consequence.embedding, consequence.embedding_model)
SET consequence += row.props, consequence.run_id = $run_id

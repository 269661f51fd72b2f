// Writes intents, each with its actor, over those of an earlier run.
//
// A changed text loses its vector: the new one is written later in the same transaction.
//
// Parameters: $realm, $now, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (intent:Intent {realm: $realm, id: row.id})
ON CREATE SET intent.created_at_ms = $now.epochMillis, intent.kind = 'moment',
              intent.weight = 1.0, intent.energy = 0.0, intent.permanence = 0.5
FOREACH (_ IN CASE WHEN intent.text <> row.props.text THEN [1] ELSE [] END |
  REMOVE intent.embedding, intent.embedding_model)
REMOVE intent:Strong, intent:Weak, intent:Unclaimed
SET intent += row.props, intent.run_id = $run_id
SET intent:$(row.labels)
WITH intent, row
MATCH (actor:Actor {realm: $realm, id: row.props.actor})
MERGE (actor)-[attempted:ATTEMPTED]->(intent)
SET attempted.run_id = $run_id

// Joins claimed intents to their consequences, with every part of the score.
//
// Parameters: $realm, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (intent:Intent {realm: $realm, id: row.intent_id})
MATCH (consequence:Consequence {realm: $realm, id: row.consequence_id})
MERGE (intent)-[causes:CAUSES]->(consequence)
SET causes += row.props, causes.run_id = $run_id

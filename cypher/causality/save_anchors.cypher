// Joins intents and consequences to their lines.
//
// Parameters: $realm, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (utterance:Utterance {realm: $realm, id: row.utterance_id})
CALL (row) {
  MATCH (node:Intent {realm: $realm, id: row.id}) RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id}) RETURN node
}
MERGE (node)-[anchored:ANCHORED_AT]->(utterance)
SET anchored.run_id = $run_id

// Joins consequences to the intents they prompted, marked as derived.
//
// Parameters: $realm, $run_id, $rows
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (consequence:Consequence {realm: $realm, id: row.consequence_id})
MATCH (intent:Intent {realm: $realm, id: row.intent_id})
MERGE (consequence)-[prompts:PROMPTS]->(intent)
SET prompts.line_gap = row.line_gap, prompts.derived = true, prompts.run_id = $run_id,
    prompts.reason = row.reason, prompts.shared_words = row.shared_words

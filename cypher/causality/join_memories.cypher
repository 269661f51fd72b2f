// Joins the memories of lines to the intents and consequences that they describe.
//
// Parameters: $realm, $rows
// Returns: joined (number of memories that describe one of them)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.memory_id})
  USING INDEX SEEK memory:Memory(realm, id)
CALL (row) {
  MATCH (node:Intent {realm: $realm, id: row.id}) RETURN node
UNION ALL
  MATCH (node:Consequence {realm: $realm, id: row.id}) RETURN node
}
MERGE (memory)-[:DESCRIBES]->(node)
RETURN count(*) AS joined

// Marks memories as possible updates of earlier ones that are near them in other words.
//
// Parameters: $realm, $now, $run, $rows
// Returns: marked
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (later:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK later:Memory(realm, id)
MATCH (earlier:Memory {realm: $realm, id: row.of})
  USING INDEX SEEK earlier:Memory(realm, id)
MERGE (later)-[update:MAY_UPDATE]->(earlier)
ON CREATE SET update.cosine = row.cosine, update.at = $now, update.run = $run
RETURN count(update) AS marked

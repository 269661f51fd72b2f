// Proposes memories as updates of earlier ones.
//
// What is proposed, accepted or dismissed already stays as it is.
//
// Parameters: $realm, $now, $run, $rows
// Returns: marked (number of pairs that are proposed)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (later:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK later:Memory(realm, id)
MATCH (earlier:Memory {realm: $realm, id: row.of})
  USING INDEX SEEK earlier:Memory(realm, id)
MERGE (later)-[update:MAY_UPDATE]->(earlier)
ON CREATE SET update.realm = $realm,
              update.proposal = later.id + ':' + earlier.id,
              update.state = 'open',
              update.cosine = row.cosine,
              update.differs = row.differs,
              update.before = row.before,
              update.after = row.after,
              update.confidence = row.confidence,
              update.reason = row.reason,
              update.at = $now,
              update.run = $run
RETURN count(update) AS marked

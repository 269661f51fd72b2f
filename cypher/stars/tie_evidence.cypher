// Ties evidence to the memories and intents that it was drawn from, and those to both stars.
//
// Parameters: $rows, $realm
// Returns: missing (kind and id of each origin that is not there)
// Access: write

CYPHER 25
// 1. Evidence with its origins: piece, origin, or what is missing.
CALL () {
  UNWIND $rows AS row
  UNWIND row.memories AS id
  OPTIONAL MATCH (origin:Memory {realm: $realm, id: id})
    USING INDEX SEEK origin:Memory(realm, id)
  RETURN row, 'memory' AS kind, id, origin
UNION ALL
  UNWIND $rows AS row
  UNWIND row.intents AS id
  OPTIONAL MATCH (origin:Intent {realm: $realm, id: id})
  RETURN row, 'intent' AS kind, id, origin
}
OPTIONAL MATCH (piece:Evidence {realm: $realm, id: row.id})
// 2. Where it was drawn from, and whom that concerns.
CALL (row, piece, origin) {
  WITH row, piece, origin WHERE piece IS NOT NULL AND origin IS NOT NULL
  MERGE (piece)-[:DRAWN_FROM]->(origin)
  WITH row, origin
  UNWIND [row.lower, row.upper] AS star_id
  MATCH (star:Star {realm: $realm, id: star_id})
  MERGE (origin)-[:CONCERNS]->(star)
  RETURN count(*) AS ties
}
RETURN collect(CASE WHEN origin IS NULL THEN {kind: kind, id: id} END) AS missing

// Removes a memory with its relationships and its evidence, and counts what went.
//
// Whoever runs this holds the memory's place.
//
// Parameters: $realm, $now, $id
// Returns: memories, evidence, relationships
// Access: write

CYPHER 25
OPTIONAL MATCH (m:Memory {realm: $realm, id: $id})
SET m.locked_at = $now
WITH m
CALL (m) {
  OPTIONAL MATCH (m)-[r]-()
  WITH type(r) AS name, count(r) AS amount, collect(r) AS gone
  FOREACH (r IN gone | DELETE r)
  RETURN collect(CASE WHEN name IS NULL THEN null ELSE {type: name, count: amount} END) AS relationships
}
CALL (m) {
  OPTIONAL MATCH (evidence:Evidence {realm: $realm, memory_id: m.id})
  WHERE evidence.moment IS NOT NULL
  WITH collect(evidence) AS gone
  FOREACH (evidence IN gone | DETACH DELETE evidence)
  RETURN size(gone) AS evidence
}
FOREACH (gone IN CASE WHEN m IS NULL THEN [] ELSE [m] END | DELETE gone)
RETURN CASE WHEN m IS NULL THEN 0 ELSE 1 END AS memories, evidence, relationships

// Writes text memories; one that is there already is left as it is, unless it had been set aside.
//
// They queue in the order of their arrival, which comes with them. What had no usable vector waits
// again: the model may be a better one.
// Takes the turn of the realm's texts, then locks the existing memories that this transaction
// may change, by id: those that are there already, and the last one of each session
// (docs/operations.md).
//
// Parameters: $realm, $now, $rows, $sessions
// Returns: told
// Access: write

CYPHER 25
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH turn
CALL () {
  UNWIND $sessions AS name
  MATCH (session:Session {realm: $realm, id: name})
  MATCH (m:Memory {realm: $realm, id: session.latest_memory})
  RETURN m
UNION
  UNWIND $rows AS row
  MATCH (m:Memory {realm: $realm, id: row.id})
    USING INDEX SEEK m:Memory(realm, id)
  RETURN m
}
WITH m ORDER BY m.id
SET m.locked_at = $now
WITH count(*) AS locked
UNWIND $rows AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m:Text, m += row.properties, m.created = row.token, m.remembered_at = $now
FOREACH (again IN CASE WHEN m.set_aside IS NOT NULL AND m.digest = row.properties.digest
                       THEN [m] ELSE [] END |
  SET again.waiting = true, again.unembedded = true
  REMOVE again.set_aside)
RETURN collect(m {.id, .digest, .tags, .category, .actor, .session, .speaker, .about, at: m.first_seen,
  lasts: m.tier, created: coalesce(m.created, '') = row.token}) AS told

// Writes text memories; one that is there already is left as it is, unless it was set aside.
//
// They queue in the order of their arrival, which comes with them. A text that had no usable vector
// waits again: the model may be a better one. A new one is joined to the actors whose id or name
// its speaker is.
//
// Parameters: $realm, $now, $rows, $sessions
// Returns: stored (id of each memory, and if this call created it; digest and fields of the others)
// Access: write
// Locks: the Cursor 'texts', then by id the Memory nodes that are there already and the latest one
//   of each session (docs/operations.md)

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
// The memories that this transaction may change.
CALL () {
  UNWIND $sessions AS name
  MATCH (session:Session {realm: $realm, id: name})
  MATCH (memory:Memory {realm: $realm, id: session.latest_memory})
  RETURN memory
UNION
  UNWIND $rows AS row
  MATCH (memory:Memory {realm: $realm, id: row.id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN memory
}
WITH memory ORDER BY memory.id
SET memory.locked_at = $now
WITH count(*) AS locked
// The actors who speak.
CALL () {
  UNWIND $rows AS row
  WITH DISTINCT row.properties.speaker AS speaker WHERE speaker IS NOT NULL
  CALL (speaker) {
    MATCH (actor:Actor {realm: $realm, id: speaker}) RETURN actor
  UNION
    MATCH (actor:Actor {realm: $realm, name: speaker}) RETURN actor
  }
  RETURN collect({speaker: speaker, actor: actor}) AS actors
}
// The texts, and those that were set aside.
UNWIND $rows AS row
MERGE (memory:Memory {realm: $realm, id: row.id})
ON CREATE SET memory:Text, memory += row.properties, memory.created = row.token,
              memory.last_interaction = row.properties.first_seen, memory.remembered_at = $now
FOREACH (_ IN CASE WHEN memory.set_aside IS NOT NULL AND memory.digest = row.properties.digest
                   THEN [1] ELSE [] END |
  SET memory.waiting = true, memory.unembedded = true
  REMOVE memory.set_aside)
FOREACH (speech IN [each IN actors WHERE each.speaker = memory.speaker
                    AND coalesce(memory.created, '') = row.token] |
  FOREACH (actor IN [speech.actor] | MERGE (actor)-[:SAID]->(memory)))
// The caller knows what it has created.
RETURN collect(CASE WHEN coalesce(memory.created, '') = row.token
  THEN memory {.id, created: true}
  ELSE memory {.id, .digest, .tags, .category, .actor, .session, .speaker, .about, .metadata,
    .valid_from, .valid_to, .superseded_by, at: memory.first_seen, lasts: memory.tier,
    created: false} END) AS stored

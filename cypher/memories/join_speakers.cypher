// Joins actors to the texts that they said: their speaker is the id or the name of the actor.
//
// A text that is remembered later is joined as it is written. Whoever adds an actor runs this in
// the same transaction: both hold the Cursor 'texts', so none of the two overlooks the other.
//
// Parameters: $realm, $now, $actor_ids (null for all)
// Returns: joined (texts that were not joined yet)
// Access: write
// Locks: the Cursor 'texts'

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH count(*) AS locked
CALL () {
  UNWIND $actor_ids AS actor_id
  MATCH (actor:Actor {realm: $realm, id: actor_id})
  RETURN actor
UNION
  MATCH (actor:Actor)
  WHERE $actor_ids IS NULL AND actor.realm = $realm AND actor.id IS NOT NULL
  RETURN actor
}
UNWIND [actor.id, actor.name] AS speaker
MATCH (memory:Memory {realm: $realm, speaker: speaker})
  USING INDEX memory:Memory(realm, speaker)
WHERE NOT EXISTS { (actor)-[:SAID]->(memory) }
WITH DISTINCT actor, memory
ORDER BY memory.id, actor.id
CREATE (actor)-[:SAID]->(memory)
RETURN count(*) AS joined

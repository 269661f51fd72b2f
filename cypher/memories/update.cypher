// Gives a text another content, and removes what rested on the old one.
//
// A text whose words changed has no vector until it is embedded again. It waits for consolidation
// as if it were new: its automatic edges, near duplicates and possible updates go. What it was is
// kept as evidence. A text that repeated another becomes one of its own.
//
//   left       = strength * exp(-rate * time since its anchor)
//   archive_at = anchor + ln(strength / archive_below) / rate, rounded up to the minute
//
// Parameters: $realm, $now, $id, $properties, $waits, $reworded, $rate, $wall, $active, $arrival,
//   $realm_key, $evidence, $repetition_id
// Returns: edges (number of automatic edges removed), consolidated (true if it was consolidated),
//   forgotten (memories whose vectors are in no file any more so far)
// Access: write
// Locks: the Memory node and its neighbours, which the caller has locked after the Cursor 'texts'

CYPHER 25
// 1. What it says, and how long it lasts: memory, consolidated, repeated.
MATCH (memory:Memory {realm: $realm, id: $id})
SET memory.locked_at = $now
WITH memory, $waits AND memory.promoted_seq IS NOT NULL AS consolidated,
     memory.state = 'duplicate' AS repeated,
     CASE memory.clock WHEN 'active' THEN $active ELSE $wall END AS moment
WITH memory, consolidated, repeated,
     CASE WHEN memory.anchor > moment THEN memory.anchor ELSE moment END AS moment
SET memory += $properties
FOREACH (_ IN CASE WHEN $rate IS NOT NULL THEN [1] ELSE [] END |
  SET memory.strength = memory.strength * exp(-(memory.rate / 1e6) * (moment - memory.anchor)),
      memory.anchor = moment,
      memory.rate = $rate)
FOREACH (_ IN CASE WHEN repeated THEN [1] ELSE [] END |
  SET memory.state = 'live', memory.indexed = true, memory.realm_key = $realm_key
  REMOVE memory:Archived, memory.duplicate_of, memory.rejected_at)
FOREACH (_ IN CASE WHEN repeated OR $rate IS NOT NULL AND memory.archive_at IS NOT NULL
                   THEN [1] ELSE [] END |
  SET memory.archive_at = CASE
        WHEN memory.strength <= memory.archive_below THEN memory.anchor
        ELSE toInteger(ceil((memory.anchor + 1e6 / memory.rate
                             * log(memory.strength / memory.archive_below)) / 6e7)) * 60000000 END)
FOREACH (_ IN CASE WHEN $reworded THEN [1] ELSE [] END |
  SET memory.unembedded = true
  REMOVE memory.embedding, memory.embedding_model, memory.set_aside)
FOREACH (_ IN CASE WHEN $waits AND memory.set_aside IS NULL THEN [1] ELSE [] END |
  SET memory.waiting = true, memory.arrival = $arrival
  REMOVE memory.claimed_by, memory.promoted_seq, memory.promoted_at, memory.consolidated_by,
         memory.near_duplicates, memory.near_count, memory.retagged)
// 2. Edges and marks that rested on the old content: edges.
CALL (memory) {
  OPTIONAL MATCH (memory)-[edge:SIMILAR|MAY_UPDATE]-() WHERE $waits
  WITH collect(DISTINCT edge) AS removed
  FOREACH (edge IN removed | DELETE edge)
  RETURN size([edge IN removed WHERE type(edge) = 'SIMILAR']) AS edges
}
CALL () {
  MATCH (other:Memory)
  WHERE $waits AND other.realm = $realm AND other.near_count > 0 AND $id IN other.near_duplicates
  WITH other ORDER BY other.id
  SET other.near_duplicates = [id IN other.near_duplicates WHERE id <> $id],
      other.near_count = size([id IN other.near_duplicates WHERE id <> $id])
  RETURN count(*) AS others
}
// 3. Who said it.
CALL (memory) {
  OPTIONAL MATCH (memory)<-[former:SAID]-(actor:Actor)
  WHERE coalesce(NOT memory.speaker IN [actor.id, actor.name], true)
  WITH collect(former) AS removed
  FOREACH (former IN removed | DELETE former)
  RETURN size(removed) AS left_actors
}
CALL (memory) {
  CALL (memory) {
    MATCH (actor:Actor {realm: $realm, id: memory.speaker}) RETURN actor
  UNION
    MATCH (actor:Actor {realm: $realm, name: memory.speaker}) RETURN actor
  }
  MERGE (actor)-[:SAID]->(memory)
  RETURN count(*) AS actors
}
// 4. What it was, as evidence; that it repeated another is none any more.
CREATE (evidence:Evidence {realm: $realm, memory_id: $id})
SET evidence += $evidence, evidence.strength = memory.strength
WITH consolidated, repeated, edges
CALL (repeated) {
  OPTIONAL MATCH (repetition:Evidence {realm: $realm, id: $repetition_id}) WHERE repeated
  WITH collect(repetition) AS removed
  FOREACH (repetition IN removed | DETACH DELETE repetition)
  RETURN size(removed) AS repetitions
}
MATCH (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.forgotten_count =
      coalesce(texts.forgotten_count, 0) + CASE WHEN consolidated THEN 1 ELSE 0 END
RETURN edges, consolidated, texts.forgotten_count AS forgotten

// Takes the turn of a realm's texts to forget one, and says what goes with it.
//
// Who holds the turn may add and remove memories, and what joins them: alone, so that nothing that
// was read under it goes away. It comes before every lock of a memory (docs/operations.md); a price
// level's place comes between. What repeats the memory will wait again, at the end of its session.
//
// Parameters: $realm, $now, $id
// Returns: token, text, relationships, repeats
// Access: write

CYPHER 25
OPTIONAL MATCH (consolidated:Cursor {realm: $realm, id: 'consolidation'})
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
WITH consolidated.token AS token
OPTIONAL MATCH (m:Memory {realm: $realm, id: $id})
FOREACH (name IN CASE WHEN m.symbol IS NULL THEN [] ELSE [m.symbol] END |
  MERGE (place:Cursor {realm: $realm, id: 'place:' + name})
  SET place.locked_at = $now)
RETURN token,
       CASE WHEN m.noted THEN m {.id, .about, .speaker, .text, .noted_words} END AS text,
       COLLECT { MATCH (m)-[r]-() WITH type(r) AS name, count(r) AS amount
                 RETURN {type: name, count: amount} } AS relationships,
       COLLECT { MATCH (again:Memory {realm: $realm, duplicate_of: $id})
                 RETURN again.id ORDER BY again.id } AS repeats

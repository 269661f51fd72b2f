// Takes memories that are about to be forgotten out of the answers that quote them.
//
// An answer loses their lines, each of which ends with the memory's id in brackets. It goes with
// its last quote.
//
// Parameters: $realm, $now, $ids
// Returns: narratives (number of answers that were shortened or deleted)
// Access: write
// Locks: the Narrative nodes by id; the caller holds the Cursor 'texts'

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})<-[:QUOTES]-(narrative:Narrative)
  USING INDEX SEEK memory:Memory(realm, id)
WITH narrative, collect(memory.id) AS quoted_ids ORDER BY narrative.id
SET narrative.locked_at = $now
LET quotes = COUNT { (narrative)-[:QUOTES]->(:Memory) },
    lines = [
      line IN split(narrative.content, '\n')
      WHERE NOT line STARTS WITH 'Joined by: '
        AND NOT (line STARTS WITH '“' AND any(id IN quoted_ids
          WHERE line ENDS WITH '(' + id + ')' OR line ENDS WITH ', ' + id + ')'))
    ]
SET narrative.content = reduce(text = lines[0], line IN lines[1..] | text + '\n' + line),
    narrative.joined_by = null
WITH count(narrative) AS narratives,
     collect(CASE WHEN quotes = size(quoted_ids) THEN narrative END) AS removed
FOREACH (narrative IN removed | DETACH DELETE narrative)
RETURN narratives

// Withdraws confirmations of an answer, of these memories or of all, and returns what it quotes.
//
// An answer that only a confirmation has made goes with the last one.
//
// Parameters: $realm, $now, $id, $ids
// Returns: id (of a quoted memory), confirmed (true if it is still confirmed), changed (true if
//   this call withdrew it)
// Locks: the Narrative
// Access: write

CYPHER 25
// The quotes, and those of them that are withdrawn: quotes, left_over.
MATCH (narrative:Narrative {realm: $realm, id: $id})
SET narrative.locked_at = $now
WITH narrative, collect {
  MATCH (narrative)-[quote:QUOTES]->(memory:Memory)
  RETURN {quote: quote, id: memory.id,
          was: quote.confirmed IS NOT NULL,
          withdrawn: quote.confirmed IS NOT NULL AND ($ids IS NULL OR memory.id IN $ids)}
} AS quotes
LET left_over = size([each IN quotes WHERE each.was AND NOT each.withdrawn])
// The confirmations go, and with the last one what only they had made: rows.
CALL (quotes) {
  UNWIND [each IN quotes WHERE each.withdrawn | each.quote] AS quote
  SET quote.confirmed = null, quote.confirmed_by = null
}
CALL (narrative, left_over) {
  FILTER left_over = 0
  SET narrative.kind = 'question'
}
LET rows = [each IN quotes | {id: each.id, confirmed: each.was AND NOT each.withdrawn,
                              changed: each.withdrawn}]
CALL (narrative, left_over) {
  FILTER left_over = 0 AND narrative.source = 'confirmation'
  DETACH DELETE narrative
}
UNWIND rows AS row
RETURN row.id AS id, row.confirmed AS confirmed, row.changed AS changed
ORDER BY id

// Undoes the answer of a run: what it confirmed, and the narrative if the run has made it.
//
// A narrative with a quote that another run confirmed stays.
//
// Parameters: $realm, $now, $run_id, $id
// Returns: removed (true if the narrative went), needed (true if the run has made it, and another
//   run still needs it)
// Locks: the Narrative
// Access: write

CYPHER 25
MATCH (narrative:Narrative {realm: $realm, id: $id})
SET narrative.locked_at = $now
CALL (narrative) {
  MATCH (narrative)-[quote:QUOTES]->() WHERE quote.confirmed_by = $run_id
  SET quote.confirmed = null, quote.confirmed_by = null
}
LET needed = EXISTS { (narrative)-[quote:QUOTES]->() WHERE quote.confirmed IS NOT NULL },
    own = narrative.run_id = $run_id
CALL (narrative, needed) {
  FILTER NOT needed
  SET narrative.kind = 'question'
}
CALL (narrative, needed, own) {
  FILTER own AND NOT needed
  DETACH DELETE narrative
}
RETURN own AND NOT needed AS removed, own AND needed AS needed

// What a batch finds: which of its items are known, and the memories near its items.
//
// $ids are those that evidence has in this graph, with its source in them, and those that an
// earlier version gave it.
//
// Parameters: $realm, $ids, $places, $memories
// Returns: known, nodes
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (evidence:Evidence {realm: $realm, id: id})
  RETURN collect(evidence {.id, .memory_id, .moment, .kind, .quantity, .taker_buy_usd, .content, .source}) AS known
}
CALL () {
  UNWIND $places AS place
  MATCH (memory:Memory {realm: $realm, symbol: place.symbol})
  WHERE memory.bucket = place.cell
  RETURN collect(DISTINCT memory {.*, embedding: null}) AS placed
}
CALL () {
  UNWIND $memories AS id
  MATCH (memory:Memory {realm: $realm, id: id})
  RETURN collect(DISTINCT memory {.*, embedding: null, text: null}) AS named
}
RETURN known, placed + named AS nodes

// Finds the recorded events of a batch, and the memories that may take its items.
//
// $ids are the ids that the events have as evidence: with their source, and as an earlier version
// wrote them, without.
//
// Parameters: $realm, $ids, $cells, $memories
// Returns: recorded (entries of the evidence log with one of these ids),
//   nodes (properties of the memories in these cells or with these ids)
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (evidence:Evidence {realm: $realm, id: id})
  RETURN collect(evidence {.id, .memory_id, .moment, .kind, .quantity, .taker_buy_usd, .content,
                           .source}) AS recorded
}
CALL () {
  UNWIND $cells AS place
  MATCH (memory:Memory {realm: $realm, symbol: place.symbol})
  WHERE memory.bucket = place.cell
  RETURN collect(DISTINCT memory {.*, embedding: null}) AS by_cell
}
CALL () {
  UNWIND $memories AS id
  MATCH (memory:Memory {realm: $realm, id: id})
  RETURN collect(DISTINCT memory {.*, embedding: null, text: null}) AS by_id
}
RETURN recorded, by_cell + by_id AS nodes

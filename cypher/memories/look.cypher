// What a batch finds: which of its items are known, and the memories near its items.
//
// Parameters: $realm, $ids, $places, $memories
// Returns: known, nodes
// Access: read

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (evidence:Evidence {realm: $realm, id: id})
  RETURN collect(evidence.event_id) AS known
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

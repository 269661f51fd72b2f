// The brightness events of stars in a stretch of time, as hours and changes.
//
// Parameters: $ids, $from, $until, $realm
// Returns: id, hours, deltas
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (event:BrightnessEvent)
WHERE event.realm = $realm AND event.star = id AND event.at >= $from AND event.at < $until
WITH id, event ORDER BY event.at
RETURN id, collect(event.at.epochMillis / 3600000.0) AS hours, collect(event.delta) AS deltas

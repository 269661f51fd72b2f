// Returns the brightness events of stars in an interval, as epoch hours and changes.
//
// Parameters: $ids, $since, $until, $realm
// Returns: id (star id), hours (epoch hours of its events), deltas (change at each event)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (event:BrightnessEvent)
WHERE event.realm = $realm AND event.star = id AND event.at >= $since AND event.at < $until
WITH id, event ORDER BY event.at
RETURN id, collect(event.at.epochMillis / 3600000.0) AS hours, collect(event.delta) AS deltas
